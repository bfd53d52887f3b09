import { availableParallelism } from 'node:os';
import type { Command } from '../command.ts';
import { apiOption } from '../input/api-folder.ts';
import { waitOption } from '../input/wait-option.ts';

export const serveCommand: Command = {
  name: 'serve',
  description: 'Run the service: production and sandbox, on one port each',
  options: {
    ...apiOption,
    ...waitOption,
    adopt: { description: 'Serve this API folder although the database has served another one' },
    workers: {
      placeholder: 'N',
      description: 'Processes to share the ports; more than 1 needs DATABASE_URL (default 1)',
    },
  },
  examples: [
    'dateline serve',
    'dateline serve --api ../orders',
    `DATABASE_URL=postgres://… dateline serve --workers ${availableParallelism()}`,
  ],
  async run(input) {
    const { serve } = await import('../serve.ts');
    await serve(input);
  },
};

export const workerCommand: Command = {
  name: 'worker',
  description:
    'Deliver webhooks of both environments, and answer probes on DATELINE_WORKER_PORT if it is set; needs DATABASE_URL',
  options: { ...apiOption, ...waitOption },
  examples: ['DATABASE_URL=postgres://… dateline worker'],
  async run(input) {
    const { deliver } = await import('../serve.ts');
    await deliver(input);
  },
};
