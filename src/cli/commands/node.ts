import type { Command } from '../command.ts';
import { listIn, objectIn } from '../json.ts';

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
  {
    name: 'node standbys',
    description:
      'List the standbys that the node reads tokens from; with --json also what the primary was asked instead, and how revocations waited',
    examples: ['dateline node standbys', 'dateline node standbys --environment production --json'],
    async run({ api, output }) {
      const answer = await api().get('/operator/standbys');
      if (output.json) return output.item(answer);
      output.list(
        listIn(answer.items).map(({ reads, ...standby }) => ({ ...standby, ...objectIn(reads) })),
        ['name', 'lag_ms', 'used', 'late', 'failed', 'problem'],
        'This node reads from no standby: DATABASE_READ_URLS names none.',
      );
    },
  },
];
