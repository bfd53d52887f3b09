import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeClient } from '../../../src/oauth/clients/clients/administer-clients.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/database/postgres-database.ts';
import {
  type DedicatedPostgresServer,
  startDedicatedPostgresServer,
} from '../../support/database/postgres-server.ts';
import { createOAuthNodes, type OAuthNodes, postForm } from '../../support/oauth/oauth-nodes.ts';
import { recordHistory, survivors } from '../../support/oauth/revocation-history.ts';
import { itInLongRuns } from '../../support/run/in-long-runs.ts';

describe('several nodes over one PostgreSQL', () => {
  let database: PostgresDatabase;
  let nodes: OAuthNodes;
  let urls: string[];
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    nodes = await createOAuthNodes(database.url);
    urls = [nodes.first.url, (await nodes.start()).url, (await nodes.start()).url];
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await database?.drop();
  });

  it('[oauth 19] all answer inactive as soon as one of them has answered the revocation (RFC 7009 §2.1)', async () => {
    const [first = '', ...others] = urls;
    for (let round = 0; round < 20; round += 1) {
      const { access, refresh } = await nodes.newFamily();
      const token = round % 2 === 0 ? access : refresh;
      expect((await postForm(first, 'revoke', { ...nodes.credentials, token }))?.status).toBe(200);
      for (const url of others)
        expect((await postForm(url, 'introspect', { ...nodes.credentials, token }))?.body).toEqual({
          active: false,
        });
    }
  });

  it('[outside2 6] all answer without a scope as soon as it was taken from the client, and with it when it is back', async () => {
    const { access } = await nodes.newFamily();
    const scopes = async () =>
      Promise.all(
        urls.map(
          async (url) =>
            (await postForm(url, 'introspect', { ...nodes.credentials, token: access }))?.body.scope,
        ),
      );
    const [all = ''] = await scopes();
    const granted = all.split(' ');
    for (let round = 0; round < 5; round += 1)
      for (const left of [granted.slice(0, -2), [], granted]) {
        await changeClient(nodes.environment, nodes.credentials.client_id, {
          scopes: left,
          redirectUris: ['https://app.test/callback'],
        });
        expect(await scopes()).toEqual(urls.map(() => left.join(' ')));
      }
  });

  itInLongRuns(
    'never report a token active to a request that starts after its revocation was answered, under mixed load',
    async () => {
      const history = await recordHistory(nodes, urls, { callers: 64, looks: 800 });
      expect(history.unexpected).toEqual([]);
      expect(survivors(history)).toEqual([]);
      // The history is meaningful: live and dead tokens were seen, grants were refreshed and ended.
      expect(history.looks.filter(({ active }) => active).length).toBeGreaterThan(50);
      expect(history.looks.filter(({ active }) => !active).length).toBeGreaterThan(50);
      expect([history.refreshes, history.deadSinceMs.size].every((count) => count > 20)).toBe(true);
    },
    120_000,
  );
});

describe('a database outage', () => {
  let server: DedicatedPostgresServer;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    server = await startDedicatedPostgresServer();
    nodes = await createOAuthNodes(`${server.url}/postgres`);
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await server?.stop();
  });

  it('[oauth 18] is answered with 503 and Retry-After and no wrong answer while it lasts; then service resumes by itself', async () => {
    const { url } = nodes.first;
    const living = await nodes.newFamily();
    const doomed = await nodes.newFamily();
    const wrong: unknown[] = [];
    const counts = { ok: 0, unavailable: 0 };
    let stop = false;
    let isUpAgain = false;
    let hasRecovered = false;

    async function ask(path: string, token: string, right: (body: unknown) => boolean): Promise<void> {
      const startedAfterOutage = isUpAgain;
      const answer = await postForm(url, path, { ...nodes.credentials, token });
      if (answer?.status === 200 && right(answer.body)) {
        counts.ok += 1;
        hasRecovered ||= startedAfterOutage;
      } else if (answer?.status === 503 && answer.retryAfter !== null) counts.unavailable += 1;
      else wrong.push(answer);
    }
    const caller = async (): Promise<void> => {
      while (!stop) {
        await ask('introspect', living.access, (body) => (body as { active: boolean }).active);
      }
    };
    const callers = Array.from({ length: 16 }, caller);
    await expect.poll(() => counts.ok).toBeGreaterThan(50);

    await server.pause();
    const revoked = await postForm(url, 'revoke', { ...nodes.credentials, token: doomed.refresh });
    expect([revoked?.status, revoked?.retryAfter]).toEqual([503, '1']);
    await expect.poll(() => counts.unavailable).toBeGreaterThan(500);
    await server.resume();
    isUpAgain = true;
    await expect.poll(() => hasRecovered).toBe(true);
    // What failed then succeeds when it is requested again.
    expect((await postForm(url, 'revoke', { ...nodes.credentials, token: doomed.refresh }))?.status).toBe(
      200,
    );
    expect((await postForm(url, 'introspect', { ...nodes.credentials, token: doomed.access }))?.body).toEqual(
      {
        active: false,
      },
    );
    stop = true;
    await Promise.all(callers);
    expect(wrong).toEqual([]);
  }, 120_000);
});
