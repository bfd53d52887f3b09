import type { Command } from '../command.ts';
import { usageError } from '../command-error.ts';
import { apiOption } from '../input/api-folder.ts';

export const restoreCommand: Command = {
  name: 'restore',
  description:
    'Bring the embedded database back from a backup, or end the access that a restored database should not have; the service is stopped',
  argument: 'file',
  argumentOptional: true,
  options: {
    force: { description: 'Restore although there is a database; it is put aside, not deleted' },
    'lost-from': {
      placeholder: 'time',
      description:
        'Instead of a file: end all access in both environments that may have been ended since this time, which the restored data is of',
    },
    'dry-run': { description: 'With --lost-from: only count what would be ended' },
    yes: { description: 'With --lost-from: end it' },
    ...apiOption,
  },
  examples: [
    'dateline restore /backups/dateline-2027-01-06.backup',
    'dateline restore --lost-from 2026-01-06T17:00:00Z --dry-run',
    'dateline restore --lost-from 2026-01-06T17:00:00Z --yes',
  ],
  async run(input) {
    const lostFrom = input.optional('lost-from');
    if ((lostFrom === undefined) === (input.argument === ''))
      throw usageError(
        'Name a <file> to restore, or give --lost-from with the time that the restored data is of.',
      );
    const { restoreFile, endAccess } = await import('../restore.ts');
    await (lostFrom === undefined ? restoreFile(input) : endAccess(input));
  },
};
