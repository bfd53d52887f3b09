import type { Command } from '../command.ts';

export const initCommand: Command = {
  name: 'init',
  description: 'Make a folder for your own API, with a small working one in it',
  argument: 'folder',
  options: {},
  examples: ['dateline init orders'],
  async run(input) {
    const { makeFolder } = await import('../make-folder.ts');
    await makeFolder(input);
  },
};
