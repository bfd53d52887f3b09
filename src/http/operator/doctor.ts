import { Type } from 'typebox';
import type { Finding } from '../../doctor/examine.ts';
import { isLive, listNodes } from '../../doctor/keep-sightings.ts';
import type { Environment } from '../../environments/environment.ts';
import type { App } from '../app/create-app.ts';
import { describe, formerName, object, oneOf, orNull, pageOf, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const FindingBody = object({
  check: describe(
    oneOf(['database', 'clock', 'keys', 'addresses', 'backups', 'upstream']),
    'The subject of the check.',
  ),
  state: describe(oneOf(['ok', 'warning', 'problem']), 'A warning can wait; a problem cannot.'),
  message: describe(Text, 'The finding, and what to do about it.'),
  says: formerName('message'),
});

const Node = object({
  id: describe(Text, 'The id that the node has given itself; it is in its data folder.'),
  seen_at: describe(Time, 'When it last wrote into the database.'),
  live: describe(Type.Boolean(), 'It runs: it has written in the last few seconds.'),
  build: describe(
    orNull(Type.Record(Type.String(), Type.Unknown())),
    'What it runs: its build, Node, and the hashes of its contracts; null for an older build.',
  ),
});

/** The findings that `dateline doctor` cannot make from outside. */
export function doctorRoutes(app: App, environment: Environment, examine: () => Promise<Finding[]>): void {
  const operation = operationsOf(app, 'Doctor');

  operation(
    'GET /operator/doctor',
    {
      id: 'examine_service',
      needs: 'viewer',
      summary: 'Find problems of this node and its database',
      answer: { description: 'What was found, all on one page.', body: pageOf(FindingBody) },
    },
    async () => ({ items: (await examine()).map(findingBody), pagination: { next_cursor: null } }),
  );

  operation(
    'GET /operator/nodes',
    {
      id: 'list_nodes',
      needs: 'viewer',
      summary: 'List the nodes of the last day, and what they run',
      answer: { description: 'The nodes, all on one page.', body: pageOf(Node) },
    },
    async () => {
      const now = environment.clock.now();
      const items = (await listNodes(environment)).map((node) => ({
        id: node.nodeId,
        seen_at: node.seenAt.toISOString(),
        live: isLive(node, now),
        build: node.about,
      }));
      return { items, pagination: { next_cursor: null } };
    },
  );
}

function findingBody(finding: Finding) {
  return { ...finding, says: finding.message };
}
