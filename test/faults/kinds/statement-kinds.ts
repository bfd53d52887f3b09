import type { NodeName, Operation } from '../clients/history.ts';
import { until } from '../deployment/until.ts';
import type { PostgresWay } from '../wire/postgres-way.ts';
import type { Blow, Moment } from '../wire/strike.ts';
import type { FaultKind, Injected } from './fault.ts';

/** Statements by what only they have in their text: nodes behind a pooler do not name them. */
export const STATEMENTS = {
  commit: /\bcommit\s*;?\s*$/i,
  'the look-up of a token': /as caller,[\s\S]*"dateline_sandbox"\.oauth_tokens/i,
  'the storing of tokens': /with issued as [\s\S]*insert into "dateline_sandbox"\.oauth_grants/i,
  'the exchange of a refresh token': /insert into "dateline_sandbox"\.oauth_rotations/i,
  'the end of tokens': /"dateline_sandbox"\.(oauth_tokens|oauth_grants)[\s\S]*set revoked_at = /i,
  'the recording of events':
    /insert into "dateline_sandbox"\.(occurrences|webhook_events|published_occurrences)/i,
  'the storing of attempts': /insert into "dateline_sandbox"\.webhook_attempts/i,
  'the leasing of endpoints': /with recursive waiting as [\s\S]*"dateline_sandbox"\.webhook_lanes/i,
} as const;

type StatementName = keyof typeof STATEMENTS;

/** Time for a statement to come along. */
const STRUCK_MS = 6_000;

const requestsOfNodes: readonly StatementName[] = [
  'commit',
  'the look-up of a token',
  'the storing of tokens',
  'the exchange of a refresh token',
  'the end of tokens',
  'the recording of events',
];

/** Strikes at one statement: before it arrives, while it runs, after it was answered, in the middle of its answer. */
export const statementKinds: readonly FaultKind[] = [
  ...requestsOfNodes.flatMap((statement) => [
    onNode(`cut before ${statement}`, statement, 'before', 'cut'),
    onNode(`cut in ${statement}`, statement, 'during', 'cut'),
    onNode(`cut after ${statement}, whose answer is lost`, statement, 'after', 'cut'),
  ]),
  onNode('the answer to a commit is torn in half', 'commit', 'torn', 'cut'),
  onNode('the answer to a look-up is torn in half', 'the look-up of a token', 'torn', 'cut'),
  onNode('a commit is held back on its way', 'commit', 'before', 'hold', 1_500),
  onNode('the answer to a commit is held back', 'commit', 'after', 'hold', 1_500),
  onNode('the answer to a look-up is held back', 'the look-up of a token', 'after', 'hold', 1_500),
  onNode('the connection of a commit falls silent', 'commit', 'after', 'silent', 300),
  onWorker('a worker is cut in the storing of attempts', 'the storing of attempts', 'during'),
  onWorker('a worker is cut after the storing of attempts', 'the storing of attempts', 'after'),
  onWorker('a worker is cut after the leasing of endpoints', 'the leasing of endpoints', 'after'),
];

function onNode(name: string, statement: StatementName, at: Moment, blow: Blow, lastsMs = 100): FaultKind {
  return {
    name,
    on: 'node',
    weight: blow === 'silent' ? 0.3 : 0.5,
    recovers: ['requests'],
    async begin({ deployment, target }, random): Promise<Injected> {
      const node = deployment.nodeOf(target as NodeName);
      const wasMet = await strike(node.way, statement, { at, blow, times: random.between(1, 4) });
      return { nodes: [node.name], meets: isHeldUp, wasMet, lastsMs, heal: () => node.way.resume() };
    },
  };
}

/** Answered or failed because of it, as far as a client can tell. */
function isHeldUp({ what }: Operation): boolean {
  return what !== 'order';
}

function onWorker(name: string, statement: StatementName, at: Moment): FaultKind {
  return {
    name,
    on: 'worker',
    weight: 0.6,
    recovers: ['deliveries'],
    async begin({ deployment, target }): Promise<Injected> {
      const worker = deployment.workerOf(target);
      const wasMet = await strike(worker.way, statement, { at, blow: 'cut', times: 1 });
      return { nodes: [], wasMet, lastsMs: 50, heal: () => worker.way.resume() };
    },
  };
}

/** Waits until the statement came along, and was struck. */
async function strike(
  way: PostgresWay,
  statement: StatementName,
  how: { at: Moment; blow: Blow; times: number },
): Promise<() => boolean> {
  const before = way.struck();
  way.strike({ text: STATEMENTS[statement], ...how });
  const isStruck = (): boolean => way.struck() > before;
  await until(isStruck, STRUCK_MS).catch(() => {});
  return isStruck;
}
