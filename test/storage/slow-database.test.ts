import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import {
  createOAuthNodes,
  type FormAnswer,
  type OAuthNodes,
  postForm,
} from '../support/oauth/oauth-nodes.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { printFigures } from '../support/run/print-figures.ts';

/** Of a node, by default: see DATELINE_DATABASE_POOL. */
const CONNECTIONS = 8;

describe('a slow database', () => {
  let database: PostgresDatabase;
  let proxy: TcpProxy;
  let nodes: OAuthNodes;
  let token: string;
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    proxy = await startTcpProxy(database.url);
    nodes = await createOAuthNodes(database.url, {
      through: proxy.url,
      env: { DATELINE_LOG_LEVEL: 'info' },
    });
    token = (await nodes.newFamily()).access;
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await proxy?.close();
    await database?.drop();
  });

  const introspect = () => postForm(nodes.first.url, 'introspect', { ...nodes.credentials, token });
  const isGood = (answer: FormAnswer | null): boolean =>
    answer?.status === 200 && answer.body.active === true;
  /** Refused by us before it was sent to the database: not cut off by the time that a request may take. */
  const isRefused = (answer: FormAnswer | null): boolean =>
    answer?.status === 503 &&
    answer.retryAfter !== null &&
    /^The database/.test(answer.body.error_description);

  /** What the node has sent to the database so far, and for how many requests. */
  async function lookUps() {
    const text = await (await fetch(`${nodes.first.url}/metrics`)).text();
    const counterOf = (name: string) =>
      Number(
        new RegExp(`^dateline_batch_size_${name}\\{[^}]*batch="look_up"[^}]*\\} (\\d+)$`, 'm').exec(
          text,
        )?.[1],
      );
    const counted = { keys: counterOf('sum'), batches: counterOf('count') };
    const minus = (other: typeof counted) => ({
      keys: counted.keys - other.keys,
      batches: counted.batches - other.batches,
    });
    return { ...counted, minus };
  }

  /** In the order in which the node has answered; whoever has asked for many may read their answers in another one. */
  const statusesInLog = (): number[] =>
    nodes.first.process
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"route":"/v1/oauth2/introspect"'))
      .map((line) => JSON.parse(line).status);

  itInLongRuns(
    '[outside 16] gets no more than it can answer: the rest is refused at once with 503 and Retry-After, and nobody waits in vain',
    async () => {
      // Connections are made and statements prepared before it becomes slow.
      await Promise.all(Array.from({ length: 200 }, introspect));
      await expect.poll(() => statusesInLog().length).toBe(200);
      const before = await lookUps();
      proxy.delay({ toServer: 1_000, toClient: 1_000 });
      const answers: ('good' | 'refused' | FormAnswer | null)[] = [];
      await Promise.all(
        Array.from({ length: 1_200 }, async () => {
          const answer = await introspect();
          answers.push(isGood(answer) ? 'good' : isRefused(answer) ? 'refused' : answer);
        }),
      );
      await proxy.resume();
      const [good, refused] = ['good', 'refused'].map((kind) => answers.filter((one) => one === kind).length);
      printFigures(`round trips of 2 s, 1,200 requests at once: ${good} answered, ${refused} refused`);
      expect(answers.filter((one) => one !== 'good' && one !== 'refused')).toEqual([]);
      // How many share a statement depends on how they arrive. That every connection carries one does not; a few more
      // statements are tried, and find no connection.
      const sent = (await lookUps()).minus(before);
      expect(sent.batches).toBeGreaterThanOrEqual(CONNECTIONS);
      const perStatement = sent.keys / sent.batches;
      expect(good).toBeGreaterThan((CONNECTIONS * perStatement) / 2);
      expect(good).toBeLessThanOrEqual(sent.keys);
      expect(refused).toBeGreaterThan(0);
      // At once: before anyone who was let in has an answer.
      await expect.poll(() => statusesInLog().length).toBe(1_400);
      const statuses = statusesInLog().slice(200);
      expect(statuses.indexOf(503)).toBeLessThan(statuses.indexOf(200));
      await expect.poll(async () => isGood(await introspect())).toBe(true);
    },
    120_000,
  );

  itInLongRuns(
    '[outside 16] with round trips of 1 s and 300 requests a second answers as many in the last third of a minute as in the first',
    async () => {
      await Promise.all(Array.from({ length: 200 }, introspect));
      proxy.delay({ toServer: 500, toClient: 500 });
      const thirds = [0, 0, 0];
      const others: unknown[] = [];
      let refused = 0;
      const sent: Promise<void>[] = [];
      for (let tick = 0; tick < 600; tick += 1) {
        const third = Math.floor(tick / 200);
        for (let one = 0; one < 30; one += 1)
          sent.push(
            introspect().then((answer) => {
              if (isGood(answer)) thirds[third] = (thirds[third] ?? 0) + 1;
              else if (isRefused(answer)) refused += 1;
              else others.push(answer);
            }),
          );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await Promise.all(sent);
      await proxy.resume();
      printFigures(
        `6,000 requests in each third of a minute: ${thirds.join(', ')} answered, ${refused} refused`,
      );
      expect(others).toEqual([]);
      const [first = 0, , last = 0] = thirds;
      expect(first).toBeGreaterThan(1_000);
      expect(last).toBeGreaterThan(first / 2);
    },
    300_000,
  );
});
