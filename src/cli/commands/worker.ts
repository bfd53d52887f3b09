import type { Command } from '../command.ts';
import { apiOption } from '../input/api-folder.ts';
import { waitOption } from '../input/wait-option.ts';

export const workerCommand: Command = {
  name: 'worker',
  description: 'Deliver webhooks of both environments, and serve nothing; needs DATABASE_URL',
  options: { ...apiOption, ...waitOption },
  examples: ['DATABASE_URL=postgres://… dateline worker'],
  async run(input) {
    const { deliver } = await import('../deliver.ts');
    await deliver(input);
  },
};
