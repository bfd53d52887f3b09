import { availableParallelism } from 'node:os';
import type { Command } from '../command.ts';

export const serveCommand: Command = {
  name: 'serve',
  says: 'Run the service: production and sandbox, on one port each',
  options: {
    workers: {
      placeholder: 'N',
      says: 'Processes to share the ports; more than 1 needs DATABASE_URL (default 1)',
    },
  },
  examples: [
    'dateline serve',
    `DATABASE_URL=postgres://… dateline serve --workers ${availableParallelism()}`,
  ],
  async run(input) {
    const { serve } = await import('../serve.ts');
    await serve(input);
  },
};
