import type { Command } from '../command.ts';

export const backupCommand: Command = {
  name: 'backup',
  description:
    'Write a backup of the embedded database, both environments, into a file while the service runs; encrypted with the secret key',
  argument: 'file',
  options: { force: { description: 'Replace the file if there is one' } },
  examples: ['dateline backup /backups/dateline-2027-01-06.backup'],
  async run(input) {
    const { backUp } = await import('../backup.ts');
    await backUp(input);
  },
};
