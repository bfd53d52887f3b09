import { present } from '../kernel/presence.ts';
import type { Session } from '../storage/database.ts';
import { deletion } from '../storage/deletion.ts';
import { statement } from '../storage/statement.ts';

const NOTE_SIGHTING = statement(
  'note_sighting',
  `with before as (select number, seen_at from {schema}.node_sightings where node_id = $1)
   insert into {schema}.node_sightings as s (node_id, number, seen_at, about) values ($1, $2::bigint + 1, $3, $4)
   on conflict (node_id) do update set number = greatest(s.number, $2::bigint) + 1, seen_at = $3, about = $4
   returning number, (select number from before) as "numberBefore", (select seen_at from before) as "seenAtBefore"`,
);

/** Facts about a node for people: whatever its build reports. */
export type NodeFacts = Readonly<Record<string, unknown>>;

export interface NotedSighting {
  number: number;
  /** The number stored before; null if the database did not know the node. */
  numberBefore: number | null;
  seenAtBefore: Date | null;
}

/** Raises the number of a node, beyond the one it knows of. */
export async function noteSighting(
  session: Session,
  { nodeId, number, at, about }: { nodeId: string; number: number; at: Date; about: NodeFacts },
): Promise<NotedSighting> {
  const [noted] = await session.run<NotedSighting>(NOTE_SIGHTING, [
    nodeId,
    number,
    at,
    JSON.stringify(about),
  ]);
  return present(noted, 'the sighting of this node');
}

export const deleteSightings = deletion<Date>('delete_sightings', {
  table: 'node_sightings',
  where: 'seen_at < $1',
  orderBy: 'seen_at',
});

const LIST_NODES = statement(
  'list_nodes',
  `select node_id as "nodeId", seen_at as "seenAt", about::json as about from {schema}.node_sightings
   where seen_at >= $1 order by seen_at desc, node_id limit 100`,
);

export interface SeenNode {
  nodeId: string;
  seenAt: Date;
  /** Null for a node of an older build. */
  about: NodeFacts | null;
}

/** The nodes seen since then, the latest first. */
export async function selectNodes(session: Session, since: Date): Promise<SeenNode[]> {
  return session.run<SeenNode>(LIST_NODES, [since]);
}

const SERVER_FACTS = statement(
  'server_facts',
  `select current_setting('server_version') as version, now() as now`,
);

export interface ServerFacts {
  version: string;
  now: Date;
}

export async function readServerFacts(session: Session): Promise<ServerFacts> {
  const [facts] = await session.run<ServerFacts>(SERVER_FACTS, []);
  return present(facts, 'the facts of the server');
}
