import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DedicatedPostgresServer,
  type PostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import { createOAuthNodes, type Node, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { next } from '../support/service/build-versions.ts';
import { metricOf } from '../support/service/metric-of.ts';

const used = (node: Node) => metricOf(node.url, 'dateline_standby_reads_total', { outcome: 'used' });
const readable = (node: Node) => metricOf(node.url, 'dateline_standby_readable');
const fallbacks = (node: Node, reason: string) =>
  metricOf(node.url, 'dateline_standby_fallbacks_total', { reason });
const confirmed = (node: Node) => fallbacks(node, 'confirmed');
const unread = (node: Node) => fallbacks(node, 'unread');

/** Longer than the time for which a reader may read, and an end of access waits. */
const WAIT_MS_MAX = 2_000;

describe('nodes that read from a standby', () => {
  let primary: DedicatedPostgresServer;
  let standby: PostgresServer;
  /** From the standby to its primary. */
  let link: TcpProxy;
  let nodes: OAuthNodes;
  let reader: Node;
  beforeAll(async () => {
    primary = await startDedicatedPostgresServer();
    link = await startTcpProxy(primary.url);
    nodes = await createOAuthNodes(`${primary.url}/postgres`);
    standby = await primary.startReplica(link.url);
    reader = await nodes.start({ DATABASE_READ_URLS: `${standby.url}/postgres` });
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await link?.close();
    await standby?.stop();
    await primary?.stop();
  });

  async function ask(node: Node, path: 'introspect' | 'revoke', token: string) {
    const answer = await postForm(node.url, path, { ...nodes.credentials, token });
    if (answer?.status !== 200) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    return answer.body;
  }
  const isActive = async (node: Node, token: string): Promise<boolean> =>
    (await ask(node, 'introspect', token)).active;
  async function areActive(node: Node, tokens: readonly string[]): Promise<boolean[]> {
    const response = await fetch(`${node.url}/v1/oauth2/introspections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': next },
      body: JSON.stringify({ ...nodes.credentials, tokens }),
    });
    if (response.status !== 200) throw new Error(`introspections answered ${response.status}`);
    const { introspections } = (await response.json()) as { introspections: { active: boolean }[] };
    return introspections.map(({ active }) => active);
  }
  const untilRead = () => expect.poll(() => readable(reader), { timeout: 10_000 }).toBe(1);
  async function timed(work: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    await work();
    return performance.now() - began;
  }

  it('ask it, and see at once what another node has revoked', async () => {
    await untilRead();
    const before = await used(reader);
    for (let round = 0; round < 10; round += 1) {
      const families = await Promise.all(Array.from({ length: 4 }, () => nodes.newFamily()));
      const seen = families.map(async ({ access }) => {
        const was = await isActive(reader, access);
        await ask(nodes.first, 'revoke', access);
        return [was, await isActive(reader, access)];
      });
      expect(await Promise.all(seen)).toEqual(families.map(() => [true, false]));
    }
    expect(await used(reader)).toBeGreaterThan(before);
    expect(await (await fetch(`${reader.url}/readyz`)).json()).toEqual({
      status: 'ready',
      standbys: { read: 1, of: 1 },
    });
  });

  it('see at once what they have revoked themselves, a refresh token that was used, and a whole client that was cut off', async () => {
    await untilRead();
    const [own, used, cut] = [await nodes.newFamily(), await nodes.newFamily(), await nodes.newFamily()];
    await ask(reader, 'revoke', own.refresh);
    expect(await isActive(reader, own.access)).toBe(false);
    const refreshed = await postForm(nodes.first.url, 'token', {
      ...nodes.credentials,
      grant_type: 'refresh_token',
      refresh_token: used.refresh,
    });
    expect(refreshed?.status).toBe(200);
    expect(await isActive(reader, used.refresh)).toBe(false);
    await ask(nodes.first, 'revoke', cut.refresh);
    expect(await isActive(reader, cut.access)).toBe(false);
  });

  it('hold a revocation back while the standby lags, for no longer than two seconds, and then ask the primary', async () => {
    await untilRead();
    const [revoked, live] = [await nodes.newFamily(), await nodes.newFamily()];
    expect(await isActive(reader, revoked.access)).toBe(true);
    link.hold('toClient');
    const tookMs = await timed(() => ask(nodes.first, 'revoke', revoked.access));
    expect(await isActive(reader, revoked.access)).toBe(false);
    // The standby has not heard of it by now.
    const fresh = await nodes.newFamily();
    expect(await isActive(reader, fresh.access)).toBe(true);
    expect(await isActive(reader, live.access)).toBe(true);
    expect(tookMs).toBeLessThan(2 * WAIT_MS_MAX);
    await expect.poll(() => readable(reader)).toBe(0);
    const before = [await unread(reader), await confirmed(reader)];
    expect(await areActive(reader, [fresh.access, revoked.access])).toEqual([true, false]);
    expect([await unread(reader), await confirmed(reader)]).toEqual([(before[0] ?? 0) + 2, before[1]]);
    // It is left out: the next revocation waits for nobody.
    const leases = () =>
      nodes.environment.session
        .tables<{ standby_leases: { node_id: string } }>()
        .selectFrom('standby_leases');
    expect(await leases().selectAll().execute()).toEqual([]);
    await ask(nodes.first, 'revoke', live.access);
    expect(await isActive(reader, live.access)).toBe(false);
    await link.resume();
    await untilRead();
    expect(await isActive(reader, fresh.access)).toBe(true);
    expect(await isActive(reader, live.access)).toBe(false);
  });

  it('find no live token dead: what the standby does not know yet is asked on the primary, and counted', async () => {
    await untilRead();
    const before = await confirmed(reader);
    // Known to the primary for a moment only.
    for (let round = 0; round < 20; round += 1)
      expect(await isActive(reader, (await nodes.newFamily()).access)).toBe(true);
    expect(await isActive(reader, 'unknown')).toBe(false);
    const after = await confirmed(reader);
    expect(after).toBeGreaterThan(before);
    // Nothing undoes a revocation, so a standby that shows it is enough.
    const { access } = await nodes.newFamily();
    await ask(nodes.first, 'revoke', access);
    for (let round = 0; round < 5; round += 1) expect(await isActive(reader, access)).toBe(false);
    expect(await confirmed(reader)).toBe(after);
  });

  it('are waited for while they are frozen, and what they say when they wake is what the primary says', async () => {
    await untilRead();
    const [first, second] = [await nodes.newFamily(), await nodes.newFamily()];
    expect(await isActive(reader, first.access)).toBe(true);
    reader.process.child.kill('SIGSTOP');
    // Begun before the end of access, answered after it.
    const late = isActive(reader, first.access);
    const tookMs = await timed(() => ask(nodes.first, 'revoke', first.access));
    expect(tookMs).toBeGreaterThan(WAIT_MS_MAX - 50);
    expect(await timed(() => ask(nodes.first, 'revoke', second.access))).toBeLessThan(WAIT_MS_MAX);
    reader.process.child.kill('SIGCONT');
    expect(await isActive(reader, first.access)).toBe(false);
    expect(await isActive(reader, second.access)).toBe(false);
    await late;
  });

  it('go on with the primary when the standby is gone', async () => {
    await untilRead();
    const live = await nodes.newFamily();
    await standby.stop();
    expect(await isActive(reader, live.access)).toBe(true);
    await ask(nodes.first, 'revoke', live.access);
    expect(await isActive(reader, live.access)).toBe(false);
    await expect.poll(() => readable(reader)).toBe(0);
  });
});
