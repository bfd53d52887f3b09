import { startDedicatedPostgresServer } from '../test/support/database/postgres-server.ts';
import { metricOf } from '../test/support/service/metric-of.ts';
import { type Bench, type Contender, type Figure, measured } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { processesOf, serverProcess, serverTimeUs } from './server-time.ts';
import { createStock } from './stock.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const TOKENS = 10_000;
/** Connections that revoke at once: hundreds of revocations a second, and not as many as the node can do at all. */
const REVOKING = 8;

const fromPrimary = 'introspection, read from the primary';
const fromStandbys = 'introspection, read from two standbys';
const onlyFromPrimary = 'introspection and nothing else, read from the primary';
const onlyFromStandbys = 'introspection and nothing else, read from two standbys';
const alone = 'revocations, without standbys';
const besideReader = 'revocations, while two standbys are read from';

export const bench: Bench = {
  name: 'standbys',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections while some are revoked, and revoking fresh ones over ${REVOKING}: one node on a PostgreSQL that waits for its disk, and one that reads from two standbys of another such`,
  onlyByName: true,
  ratios: [
    [onlyFromStandbys, onlyFromPrimary],
    [fromStandbys, fromPrimary],
  ],
  mainThreads: [
    [onlyFromStandbys, onlyFromPrimary],
    [fromStandbys, fromPrimary],
  ],
  latencies: [fromPrimary, fromStandbys, alone, besideReader],
  async prepare() {
    const plain = await startDedicatedPostgresServer({ durable: true });
    const primary = await startDedicatedPostgresServer({ durable: true });
    const standbys = [await primary.startReplica(), await primary.startReplica()] as const;
    const node = await startTokenNode(plain.url, 'bench_plain');
    const reader = await startTokenNode(primary.url, 'bench_read', {
      settings: { DATABASE_READ_URLS: standbys.map(({ url }) => `${url}/bench_read`).join(',') },
    });
    await untilRead(reader, standbys.length);
    const servers = [await serverProcess(plain.url), await serverProcess(primary.url)] as const;
    const revokes = [
      timing(await introspecting(fromPrimary, node, TOKENS), servers[0]),
      timing(await introspecting(fromStandbys, reader, TOKENS), servers[1]),
    ] as const;
    const reads = [
      timing(await introspecting(onlyFromPrimary, node, TOKENS, { revokes: false }), servers[0]),
      timing(await introspecting(onlyFromStandbys, reader, TOKENS, { revokes: false }), servers[1]),
    ] as const;
    const beside = revoking(besideReader, reader);
    const contenders = [...reads, ...revokes].map(({ contender }) => contender);
    return {
      contenders: [...contenders, revoking(alone, node), beside],
      figures: async () => [
        ...timesOf('introspection alone', reads),
        ...timesOf('introspection, with 20 revocations a second', revokes),
        await whileOneHangs(standbys[0].url, beside),
      ],
      async close() {
        await node.close();
        await reader.close();
        for (const server of [...standbys, primary, plain]) await server.stop();
      },
    };
  },
};

/** Nothing is measured before both standbys answer. */
async function untilRead({ url }: TokenNode, count: number): Promise<void> {
  while ((await metricOf(url, 'dateline_standby_readable')) < count);
}

interface Timed {
  contender: Contender;
  usPerOperation: readonly number[];
}

/** The first turn is to warm up. */
function timesOf(load: string, [primary, standbys]: readonly [Timed, Timed]): Figure[] {
  const quotients = standbys.usPerOperation.map(
    (us, turn) => us / (primary.usPerOperation[turn] ?? Number.NaN),
  );
  return [
    figure(`${load}: µs of the primary's processors for each, read from it`, primary.usPerOperation),
    figure(`${load}: the same, read from two standbys`, standbys.usPerOperation),
    figure(`${load}: the second to the first`, quotients),
  ];
}

/** Notes the time of a server beside the work on it. */
function timing(contender: Contender, pid: number): Timed {
  const usPerOperation: number[] = [];
  const work: Contender['work'] = async (forMs) => {
    const before = serverTimeUs(pid);
    const done = await contender.work(forMs);
    usPerOperation.push((serverTimeUs(pid) - before) / done.operations);
    return done;
  };
  return { contender: { ...contender, work }, usPerOperation };
}

function revoking(name: string, node: TokenNode): Contender {
  const { take, refill } = createStock((count) => node.addTokens(count));
  const form = (): string => node.formOf(take());
  return {
    ...caller(name, `${node.url}/v1/oauth2/revoke`, {
      form,
      expects: '\r\n\r\n{}',
      pid: node.pid,
      connections: REVOKING,
    }),
    beforeTurn: refill,
  };
}

const HANGS_MS = 6_000;

/** The slowest of the revocations during which a standby hangs. */
async function whileOneHangs(standbyUrl: string, revocations: Contender): Promise<Figure> {
  const processes = processesOf(await serverProcess(standbyUrl));
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processes) process.kill(pid, name);
  };
  await revocations.beforeTurn?.();
  signal('SIGSTOP');
  const { latenciesMs = [] } = await revocations.work(HANGS_MS).finally(() => signal('SIGCONT'));
  const sorted = [...latenciesMs].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return {
    what: 'milliseconds of a revocation while a standby hangs: median, p99, slowest',
    median: at(0.5),
    least: at(0.99),
    most: at(1),
  };
}

function figure(what: string, values: readonly number[]): Figure {
  return { what, ...measured(values.slice(1)) };
}
