import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import type { App } from '../app/create-app.ts';
import { Count, describe, object, orNull, pageOf, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const Milliseconds = Type.Number({ minimum: 0 });

const Standby = object({
  name: describe(Text, 'Its address, without secrets.'),
  problem: describe(orNull(Text), 'Why this node does not read from it; null while it does.'),
  lag_ms: describe(
    orNull(Milliseconds),
    'The milliseconds after which it had shown the last renewal of the lease; null while it is not read from.',
  ),
  reads: describe(
    object({
      used: describe(Count, 'Statements whose answer was used.'),
      late: describe(Count, 'Statements that were answered after the lease had run out, or not at all.'),
      failed: describe(Count, 'Statements that failed.'),
    }),
    'What was read from it since the start of this node.',
  ),
});

const Standbys = object({
  ...pageOf(Standby).properties,
  fallbacks: describe(
    object({
      unread: describe(Count, 'Look-ups that no standby had answered.'),
      confirmed: describe(Count, 'Look-ups that a standby would have refused.'),
    }),
    'What the primary was asked instead, since the start of this node.',
  ),
  waits: describe(
    object({
      count: describe(Count, 'Waits for nodes that read from standbys; those that came together are one.'),
      timed_out: describe(Count, 'Those that ended by the time, and not by the answer of a node.'),
      mean_ms: describe(orNull(Milliseconds), 'Their mean in milliseconds; null while there was none.'),
    }),
    'How ends of access waited on this node, since its start.',
  ),
});

/** What this node reads from standbys, and how long it waits for others that do. */
export function standbyRoutes(app: App, { standbys, untilReadersSee }: Environment): void {
  operationsOf(app, 'Doctor')(
    'GET /operator/standbys',
    {
      id: 'list_standbys',
      needs: 'viewer',
      summary: 'List the standbys that this node reads tokens from',
      answer: {
        description: 'The standbys, all on one page; none where the settings name none.',
        body: Standbys,
      },
    },
    async () => {
      const { waits, timedOut, waitedMs } = untilReadersSee.counts;
      return {
        items: standbys.links.map(({ name, state, counts }) => {
          const { problem, lagMs } = state();
          return { name, problem, lag_ms: lagMs, reads: { ...counts } };
        }),
        pagination: { next_cursor: null },
        fallbacks: { ...standbys.counts },
        waits: { count: waits, timed_out: timedOut, mean_ms: waits === 0 ? null : waitedMs / waits },
      };
    },
  );
}
