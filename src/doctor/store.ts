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

export const nodeKinds = ['serve', 'worker'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** One process of the service, as it describes itself. */
export interface NodeSelf {
  id: string;
  /** Its machine and process. */
  name: string;
  kind: NodeKind;
  /** Null for a node of an older build, which does not tell. */
  delivers: boolean | null;
  /** The id in its data folder; null where that cannot be read, and for workers. */
  folderId: string | null;
  /** Null for a node of an older build. */
  build: NodeFacts | null;
}

const SIGN = statement(
  'sign_node',
  `insert into {schema}.nodes (id, name, kind, delivers, folder_id, build, started_at, seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (id) do update set seen_at = excluded.seen_at, stopped_at = null`,
);

/** Stores that a node runs. */
export async function signNode(
  session: Session,
  { id, name, kind, delivers, folderId, build }: NodeSelf,
  { startedAt, at }: { startedAt: Date; at: Date },
): Promise<void> {
  await session.run(SIGN, [id, name, kind, delivers, folderId, JSON.stringify(build), startedAt, at]);
}

const SIGN_OFF = statement(
  'sign_node_off',
  'update {schema}.nodes set seen_at = $2, stopped_at = $2 where id = $1',
);

/** Stores that a node ends. */
export async function signNodeOff(session: Session, id: string, at: Date): Promise<void> {
  await session.run(SIGN_OFF, [id, at]);
}

export const deleteNodes = deletion<Date>('delete_nodes', {
  table: 'nodes',
  where: 'seen_at < $1',
  orderBy: 'seen_at',
});

export interface StoredNode extends NodeSelf {
  /** Null for a node of an older build. */
  startedAt: Date | null;
  seenAt: Date;
  stoppedAt: Date | null;
}

// Nodes of older builds write sightings only; they all serve.
const LIST_NODES = statement(
  'list_nodes',
  `select * from (
     select id, name, kind, delivers, folder_id as "folderId", build::json as build, started_at as "startedAt",
            seen_at as "seenAt", stopped_at as "stoppedAt"
     from {schema}.nodes where seen_at >= $1
     union all
     select node_id, node_id, 'serve', null, node_id, about::json, null, seen_at, null
     from {schema}.node_sightings s
     where seen_at >= $1 and not exists (select 1 from {schema}.nodes n where n.folder_id = s.node_id)
   ) seen
   order by "seenAt" desc, id limit $2`,
);

/** The nodes seen since then, the latest first. */
export async function selectNodes(session: Session, since: Date, limit: number): Promise<StoredNode[]> {
  return session.run<StoredNode>(LIST_NODES, [since, limit]);
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
