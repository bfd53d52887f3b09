import type { Command } from '../command.ts';

export const initCommand: Command = {
  name: 'init',
  description: 'Create a folder for your own API, with a small working example',
  argument: 'folder',
  options: {
    typescript: {
      description: 'Write its configuration and changes in TypeScript, with types of the contract',
    },
  },
  examples: ['dateline init orders', 'dateline init orders --typescript'],
  async run(input) {
    const { makeFolder } = await import('../make-folder.ts');
    await makeFolder(input);
  },
};
