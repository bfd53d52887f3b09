import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import {
  type DedicatedPostgresServer,
  type Follower,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import { createOAuthNodes, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { next } from '../support/service/build-versions.ts';

const FAILOVERS = Number(process.env.FAILOVERS || '50');
const CALLERS = 12;
/** Acts that are begun together: revocations, and creates with a key. */
const ACTS = 24;
/** How often the wait for the standby is ended before its time, while those are begun. */
const BLOWS = 8;

/** What somebody asks for until it is acknowledged, and how to see afterwards that it is lost. */
interface Act {
  kind: 'revocation' | 'create';
  /** Whether it was acknowledged. */
  ask(url: string): Promise<boolean>;
  isLost(url: string): Promise<boolean>;
}

interface Begun {
  readonly acknowledged: readonly Act[];
  isPending(): boolean;
  all: Promise<unknown>;
}

const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

describe('failovers to a synchronous standby', () => {
  let primary: DedicatedPostgresServer;
  let standby: Follower;
  /** From the standby to its primary. */
  let link: TcpProxy;
  /** From the nodes to their database. */
  let way: TcpProxy;
  let nodes: OAuthNodes;
  let urls: readonly string[];
  const figures = {
    revocations: 0,
    creates: 0,
    cancels: 0,
    terminations: 0,
    cuts: 0,
    repeats: 0,
    repeatsDone: 0,
  };
  beforeAll(async () => {
    primary = await startDedicatedPostgresServer();
    link = await startTcpProxy(primary.url);
    way = await startTcpProxy(`${primary.url}/postgres`);
    nodes = await createOAuthNodes(way.url);
    urls = [nodes.first.url, (await nodes.start()).url];
    standby = await primary.startFollower(link.url);
  }, 10 * 60_000);
  afterAll(async () => {
    await nodes?.close();
    await way?.close();
    await link?.close();
    await standby?.stop();
    await primary?.stop();
  });

  function revocation(token: string, dies: string): Act {
    const { credentials } = nodes;
    return {
      kind: 'revocation',
      ask: async (url) => (await postForm(url, 'revoke', { ...credentials, token }))?.status === 200,
      async isLost(url) {
        const answer = await postForm(url, 'introspect', { ...credentials, token: dies });
        if (answer?.status !== 200) throw new Error(`introspect answered ${answer?.status}`);
        return answer.body.active;
      },
    };
  }

  function creation(access: string): Act {
    const headers = {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      'service-version': next,
      'idempotency-key': randomUUID(),
    };
    const ids = new Set<string>();
    return {
      kind: 'create',
      async ask(url) {
        const answer = await answerOf(`${url}/v1/products/`, {
          method: 'POST',
          headers,
          body: JSON.stringify(newProduct),
        });
        if (answer?.status === 201) ids.add(answer.body.id);
        return answer?.status === 201;
      },
      async isLost(url) {
        const [id, ...others] = ids;
        const answer = await answerOf(`${url}/v1/products/${id}`, { headers });
        if (answer?.status !== 200 && answer?.status !== 404)
          throw new Error(`reading a product answered ${answer?.status}`);
        return answer.status === 404 || others.length > 0;
      },
    };
  }

  /** Made while the standby follows: only what is done to them later may be lost. */
  async function newActs(): Promise<Act[]> {
    const families = await Promise.all(Array.from({ length: ACTS / 3 }, () => nodes.newFamily()));
    const creator = (await nodes.newFamily()).access;
    return families.flatMap(({ access, refresh }, index) => [
      revocation(access, access),
      revocation(refresh, index % 2 === 0 ? refresh : access),
      creation(creator),
    ]);
  }

  /** Callers ask for one act after the other, for each until it is acknowledged. */
  function begin(acts: Act[]): Begun {
    const acknowledged: Act[] = [];
    const wanted = acts.length;
    async function caller(): Promise<void> {
      for (let act = acts.shift(); act !== undefined; act = acts.shift()) {
        let tries = 1;
        while (!(await act.ask(anyOf(urls)))) tries += 1;
        acknowledged.push(act);
        figures.repeats += tries - 1;
        if (tries > 1) figures.repeatsDone += 1;
        figures[act.kind === 'create' ? 'creates' : 'revocations'] += 1;
      }
    }
    const all = Promise.all(Array.from({ length: CALLERS }, caller));
    return { acknowledged, all, isPending: () => acknowledged.length < wanted };
  }

  /** Ends waits for the standby on the primary, each as an operator, a restart or a network does. */
  async function disturb(watcher: pg.Client, isPending: () => boolean): Promise<void> {
    for (let blows = 0; blows < BLOWS && isPending(); ) {
      const ends = anyOf(['pg_cancel_backend', 'pg_terminate_backend']);
      const { rowCount } = await watcher.query(
        `select ${ends}(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      );
      if (!rowCount) continue;
      blows += 1;
      figures[ends === 'pg_cancel_backend' ? 'cancels' : 'terminations'] += rowCount;
      if (blows % 4 !== 0) continue;
      way.cut();
      figures.cuts += 1;
    }
  }

  /** Returns what was acknowledged when the old primary was gone, and the new one not yet reached. */
  async function failOver(begun: readonly Begun[]): Promise<readonly Act[]> {
    link.cut();
    await primary.crash();
    primary = await standby.promote();
    const acknowledged = begun.flatMap((some) => some.acknowledged);
    way.retarget(`${primary.url}/postgres`);
    link.retarget(primary.url);
    way.cut();
    await link.resume();
    return acknowledged;
  }

  /** One primary's life, from the first act to its successor. */
  async function round(): Promise<readonly Begun[]> {
    const watcher = new pg.Client({ connectionString: `${primary.url}/postgres` });
    watcher.on('error', () => {});
    await watcher.connect();
    const batches = [await newActs(), await newActs(), await newActs()] as const;
    const calm = begin(batches[0]);
    await calm.all;
    link.hold('toClient');
    const disturbed = begin(batches[1]);
    await disturb(watcher, disturbed.isPending);
    // The standby hears what happened, or never.
    if (Math.random() < 0.5) {
      await link.resume();
      await disturbed.all;
      link.hold('toClient');
    }
    const late = begin(batches[2]);
    await disturb(watcher, late.isPending);
    return [calm, disturbed, late];
  }

  async function lostOf(acts: readonly Act[]): Promise<number> {
    const lost = await Promise.all(acts.map((act) => act.isLost(anyOf(urls))));
    return lost.filter(Boolean).length;
  }

  async function isReady(): Promise<boolean> {
    const answers = await Promise.all(
      urls.map((url) => postForm(url, 'introspect', { ...nodes.credentials, token: 'any' })),
    );
    return answers.every((answer) => answer?.status === 200);
  }

  it(
    `[outside2 11] lose nothing that was acknowledged (${FAILOVERS}, with cuts and cancels of the wait for the standby)`,
    async () => {
      let lost = 0;
      for (let count = 1; count <= FAILOVERS; count += 1) {
        const begun = await round();
        const acknowledged = await failOver(begun);
        await expect.poll(isReady).toBe(true);
        lost += await lostOf(acknowledged);
        await Promise.all(begun.map(({ all }) => all));
        standby = await primary.startFollower(link.url);
        if (count % 10 === 0 || lost > 0)
          printFigures(`${count} failovers, ${lost} lost: ${JSON.stringify(figures)}`);
      }
      expect(lost).toBe(0);
      expect(figures.repeatsDone).toBeGreaterThan(FAILOVERS);
    },
    45 * 60_000,
  );
});

interface JsonAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: read as any client would.
  body: any;
}

/** Null for a broken connection. */
async function answerOf(url: string, init: RequestInit): Promise<JsonAnswer | null> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}
