import type { Command } from '../command.ts';
import { listIn } from '../json.ts';

export const nodeCommands: readonly Command[] = [
  {
    name: 'node list',
    description:
      'List the processes of the last day that serve or deliver: what they run, and their last sign',
    examples: ['dateline node list', 'dateline node list --environment production --json'],
    async run({ api, output }) {
      const { items } = await api().get('/operator/nodes');
      output.list(
        listIn(items),
        ['name', 'kind', 'state', 'delivers', 'build_id', 'started_at', 'seen_at'],
        'No node was here in the last day.',
      );
    },
  },
];
