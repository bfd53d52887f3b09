import { Type } from 'typebox';
import { checks, type Finding, productionChecks } from '../../doctor/finding.ts';
import { buildIdOf, listNodes, nodeStates, type SeenNode } from '../../doctor/node-signs.ts';
import { nodeKinds } from '../../doctor/store.ts';
import type { Environment } from '../../environments/environment.ts';
import { type Lease, readLeases } from '../../standbys/store.ts';
import type { App } from '../app/create-app.ts';
import { describe, formerName, object, oneOf, optional, orNull, pageOf, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const FindingBody = object({
  check: describe(oneOf([...checks, ...productionChecks]), 'The subject of the check.'),
  state: describe(oneOf(['ok', 'warning', 'problem']), 'A warning can wait; a problem cannot.'),
  message: describe(Text, 'The finding, and what to do about it.'),
  says: formerName('message'),
});

const Node = object({
  id: describe(
    Text,
    'The id of the process, which a start makes anew; for an older build, that of its data folder.',
  ),
  name: describe(Text, 'The machine and the number of the process; for an older build, its id.'),
  kind: describe(
    oneOf(nodeKinds),
    'dateline serve answers requests; dateline worker delivers webhooks only.',
  ),
  delivers: describe(
    orNull(Type.Boolean()),
    'It delivers webhooks: a worker, or a serving node unless DATELINE_DELIVER is off. Null for an older build.',
  ),
  state: describe(
    oneOf(nodeStates),
    'live: it has left a sign in the last seconds. stopped: it has said that it ends. gone: neither; it was killed, hangs, or cannot reach the database.',
  ),
  started_at: describe(orNull(Time), 'When it was started; null for an older build.'),
  seen_at: describe(Time, 'Its last sign: when it last wrote into the database.'),
  stopped_at: describe(orNull(Time), 'When it ended; null unless it has said so.'),
  live: describe(Type.Boolean(), 'Its state is live.'),
  build_id: describe(orNull(Text), 'The same for nodes that run the same; null for an older build.'),
  build: describe(
    orNull(Type.Record(Type.String(), Type.Unknown())),
    'What it runs: its build, Node, and the hashes of its contracts; null for an older build.',
  ),
  reads_from: describe(
    Type.Array(Text),
    'The standbys that it holds a lease for, to read tokens from: whoever ends access waits for it.',
  ),
  data_folder_id: describe(
    orNull(Text),
    'The id in its data folder, which the audit log names when a backup was restored; null for workers, and where the folder cannot be read.',
  ),
});

/** The findings that `dateline doctor` cannot make from outside. */
export function doctorRoutes(
  app: App,
  environment: Environment,
  { examine, nodeId }: { examine(beforeProduction: boolean): Promise<Finding[]>; nodeId: string },
): void {
  const operation = operationsOf(app, 'Doctor');

  operation(
    'GET /operator/doctor',
    {
      id: 'examine_service',
      needs: 'viewer',
      summary: 'Find problems of this node and its database',
      query: {
        before: optional(
          oneOf(['production']),
          'Look at all that must be settled before the service goes live.',
        ),
      },
      answer: { description: 'What was found, all on one page.', body: pageOf(FindingBody) },
    },
    async ({ query }) => ({
      items: (await examine(query.before === 'production')).map(findingBody),
      pagination: { next_cursor: null },
    }),
  );

  operation(
    'GET /operator/nodes',
    {
      id: 'list_nodes',
      needs: 'viewer',
      summary: 'List the processes of the last day that serve or deliver, and what they run',
      answer: { description: 'The nodes, all on one page.', body: pageOf(Node) },
    },
    async () => {
      const { leases } = await readLeases(environment.session);
      const nodes = await listNodes(environment, nodeId);
      return { items: nodes.map((node) => nodeBody(node, leases)), pagination: { next_cursor: null } };
    },
  );
}

function findingBody(finding: Finding) {
  return { ...finding, says: finding.message };
}

function nodeBody(node: SeenNode, leases: readonly Lease[]) {
  const { id, name, kind, delivers, state, startedAt, seenAt, stoppedAt, build, folderId } = node;
  return {
    id,
    name,
    kind,
    delivers,
    state,
    started_at: startedAt?.toISOString() ?? null,
    seen_at: seenAt.toISOString(),
    stopped_at: stoppedAt?.toISOString() ?? null,
    live: state === 'live',
    build_id: buildIdOf(node),
    build,
    reads_from: leases.filter((lease) => lease.nodeId === id).map(({ standby }) => standby),
    data_folder_id: folderId,
  };
}
