import type { Command } from '../command.ts';

export const initCommand: Command = {
  name: 'init',
  description: 'Create a folder for your own API, with a small working example',
  argument: 'folder',
  examples: ['dateline init orders'],
  async run(input) {
    const { makeFolder } = await import('../make-folder.ts');
    await makeFolder(input);
  },
};
