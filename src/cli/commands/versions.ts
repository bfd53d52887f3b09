import type { Command } from '../command.ts';
import { listIn } from '../json.ts';

export const versionsCommand: Command = {
  name: 'versions',
  description: 'Show the API versions that are served, and when each is removed',
  examples: ['dateline versions'],
  async run({ api, output }) {
    const { versions } = await api().getPublic('/versions');
    output.list(listIn(versions), ['version', 'state', 'becomes_current_at', 'removed_at'], 'No versions.');
  },
};
