import type { Command } from '../command.ts';
import { apiOption } from '../input/api-folder.ts';
import { waitOption } from '../input/wait-option.ts';

export const devCommand: Command = {
  name: 'dev',
  description: 'Serve the sandbox of an API folder while you edit it, and show what happens to each call',
  options: {
    ...apiOption,
    ...waitOption,
    mock: { description: 'Answer by the examples of the contract; no upstream is needed' },
    port: { placeholder: 'N', description: 'Port of the sandbox, over DATELINE_SANDBOX_PORT' },
    quiet: { description: 'Show each call in one line' },
  },
  examples: ['dateline dev', 'dateline dev --api ../orders --mock', 'dateline dev --mock --json'],
  async run(input) {
    const { runDev } = await import('../dev/run-dev.ts');
    await runDev(input);
  },
};
