import { beforeEach, expect, it } from 'vitest';
import { recordAudit } from '../../src/audit/audit-log.ts';
import { chores } from '../../src/compose/background/chores.ts';
import { renameOrganization } from '../../src/directory/organizations.ts';
import { CHORE_ROWS_MAX, type Chore } from '../../src/environments/chore.ts';
import type { Context } from '../../src/environments/environment.ts';
import { cleanUp, keepHouse } from '../../src/housekeeping/keep-house.ts';
import { explanationBody } from '../../src/http/operator/explanation-body.ts';
import { startSession } from '../../src/identity/sessions/sign-in-sessions.ts';
import { issueCode } from '../../src/oauth/authorize/codes/issue-code.ts';
import { createClientCredentialsIssuer } from '../../src/oauth/grants/client-credentials.ts';
import { createTokenRefresher, type RefreshRequest } from '../../src/oauth/grants/refresh/refresh-token.ts';
import { endAll, endGrantsById } from '../../src/oauth/tokens/end-tokens.ts';
import { explainToken } from '../../src/oauth/tokens/explain-token.ts';
import { type IssuedToken, issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { statement } from '../../src/storage/statement.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { deleteKnownEndpoint } from '../../src/webhooks/endpoints/delete-endpoint.ts';
import { disableEndpoint } from '../../src/webhooks/endpoints/disable-endpoint.ts';
import { recordOccurrences } from '../../src/webhooks/publishing/record-occurrences.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const cause = { actor: { type: 'system', id: null }, reason: 'test' } as const;

onPostgresFirst('housekeeping', (engine) => {
  const environments = useTestEnvironments(engine);
  const refreshToken = (request: Omit<RefreshRequest, 'address'>) =>
    createTokenRefresher(environments.sandbox, { find() {}, rotate() {} })({ ...request, address: '' });
  let removed: Record<string, number>;
  let sizes: number[];
  const tidy = (context: Context = environments.sandbox) =>
    cleanUp({
      context,
      chores,
      onRemoved(table, rows) {
        removed[table] = (removed[table] ?? 0) + rows;
        sizes.push(rows);
      },
      onError(chore, error) {
        throw new Error(`${chore}: ${error}`);
      },
    });
  const count = async (table: string, column: string, value: string): Promise<number> => {
    const text = `select count(*) as count from {schema}.${table} where ${column} = $1`;
    const [row] = await environments.sandbox.database.run<{ count: number }>(
      statement(`count_${table}_${column}`, text),
      [value],
    );
    return row?.count ?? 0;
  };
  const stored = ({ token }: IssuedToken) => count('oauth_tokens', 'id', token.id);
  const isActive = async ({ tokenValue }: { tokenValue: string }): Promise<boolean> =>
    (await createTokenVerifier(environments.sandbox, () => {})(tokenValue)).active;

  beforeEach(() => {
    removed = {};
    sizes = [];
  });

  it('deletes expired sessions, and no others', async () => {
    const { sandbox, clock } = environments;
    const { user } = await createGrantedUser(sandbox);
    await startSession(sandbox, user.id);
    clock.advanceSeconds(11 * HOUR);
    await startSession(sandbox, user.id);
    await tidy();
    expect(await count('sign_in_sessions', 'user_id', user.id)).toBe(2);
    clock.advanceSeconds(HOUR);
    await tidy();
    expect(await count('sign_in_sessions', 'user_id', user.id)).toBe(1);
    expect(removed.sign_in_sessions).toBe(1);
  });

  it('keeps a token for a week after its end, and its grant for as long as the grant lives', async () => {
    const { sandbox, clock } = environments;
    const { access, refresh, grant } = await createGrantedUser(sandbox);
    clock.set(access.token.expiresAt);
    clock.advanceSeconds(7 * DAY - 1);
    await tidy();
    expect(await stored(access)).toBe(1);
    clock.advanceSeconds(1);
    await tidy();
    expect([await stored(access), await stored(refresh)]).toEqual([0, 1]);
    expect(await isActive(refresh)).toBe(true);
    clock.set(grant.expiresAt);
    clock.advanceSeconds(7 * DAY - 1);
    await tidy();
    expect(await count('oauth_grants', 'id', grant.id)).toBe(1);
    clock.advanceSeconds(1);
    await tidy();
    expect(await count('oauth_grants', 'id', grant.id)).toBe(0);
  });

  it('deletes nothing that is live, at any hour', async () => {
    const { sandbox, clock } = environments;
    const lasting = await createGrantedUser(sandbox);
    let refreshTokenValue = lasting.refresh.tokenValue;
    // Every 20 days the client refreshes, until the grant has expired.
    for (let day = 20; day < 90; day += 20) {
      clock.advanceSeconds(20 * DAY);
      const passing = await createGrantedUser(sandbox);
      const answer = await refreshToken({
        client: lasting.client,
        refreshTokenValue,
        scope: undefined,
        resource: undefined,
      });
      refreshTokenValue = answer.refreshTokenValue ?? '';
      await tidy();
      for (const tokenValue of [
        refreshTokenValue,
        answer.accessTokenValue,
        passing.access.tokenValue,
        passing.refresh.tokenValue,
      ])
        expect(await isActive({ tokenValue }), `day ${day}`).toBe(true);
    }
    expect(removed.oauth_tokens).toBeGreaterThan(0);
  });

  it('still detects reuse of a refresh token long after its access tokens were deleted', async () => {
    const { sandbox, clock } = environments;
    const { client, access, refresh } = await createGrantedUser(sandbox);
    const again = {
      client,
      refreshTokenValue: refresh.tokenValue,
      scope: undefined,
      resource: undefined,
    };
    const { refreshTokenValue: second = '' } = await refreshToken(again);
    const { refreshTokenValue = '' } = await refreshToken({ ...again, refreshTokenValue: second });
    clock.advanceSeconds(25 * DAY);
    await tidy();
    expect([await stored(access), await stored(refresh)]).toEqual([0, 1]);
    expect(await isActive({ tokenValue: refreshTokenValue })).toBe(true);
    await expect(refreshToken(again)).rejects.toThrow('was used before');
    expect(await isActive({ tokenValue: refreshTokenValue })).toBe(false);
  });

  it('keeps a used refresh token beyond its own end while its grant is live', async () => {
    const { sandbox, clock } = environments;
    const { client, grant, refresh } = await createGrantedUser(sandbox);
    let refreshTokenValue = refresh.tokenValue;
    for (const days of [25, 25]) {
      const request = { client, refreshTokenValue, scope: undefined, resource: undefined };
      refreshTokenValue = (await refreshToken(request)).refreshTokenValue ?? '';
      clock.advanceSeconds(days * DAY);
    }
    await tidy();
    expect(await stored(refresh)).toBe(1);
    await endGrantsById(sandbox, [grant.id], cause);
    clock.advanceSeconds(7 * DAY);
    await tidy();
    expect([await stored(refresh), await count('oauth_grants', 'id', grant.id)]).toEqual([0, 0]);
  });

  /** Tokens of a client for itself; the client has a user’s grant too. */
  async function clientCredentialsTokens(howMany: number) {
    const { sandbox } = environments;
    const { client } = await createGrantedUser(sandbox);
    const issue = createClientCredentialsIssuer(sandbox, () => {});
    const live = { ...client, organizationSuspendedAt: null, secretDigests: [] };
    const values: string[] = [];
    for (let made = 0; made < howMany; made += 1)
      values.push((await issue(live, { scope: undefined, resource: undefined })).accessTokenValue);
    return { client, values, grants: () => count('oauth_grants', 'client_id', client.id) };
  }

  it('[outside2 17] deletes a client’s own token with its grant an hour after its end, and a revoked one a week after it', async () => {
    const { sandbox, clock } = environments;
    const { grants, values } = await clientCredentialsTokens(2);
    const [kept = '', revoked = ''] = values;
    const { token } = await explainToken(sandbox, { tokenValue: revoked });
    if (!token) throw new Error('a token that was just issued is unknown');
    await endAll(sandbox, [{ token, ...cause }]);
    const explained = async (tokenValue: string) =>
      explanationBody(sandbox, await explainToken(sandbox, { tokenValue }));
    clock.advanceSeconds(2 * HOUR - 1);
    await tidy();
    expect([(await explained(kept)).state, await grants()]).toEqual(['expired', 3]);
    clock.advanceSeconds(1);
    await tidy();
    expect([await explained(kept), await grants()]).toMatchObject([
      {
        state: 'unknown',
        message: 'It is unknown or long expired: it was never issued here, or it has been deleted since.',
      },
      2,
    ]);
    expect(await explained(revoked)).toMatchObject({ state: 'revoked' });
    clock.advanceSeconds(7 * DAY);
    await tidy();
    expect([(await explained(revoked)).state, await grants()]).toEqual(['unknown', 1]);
  });

  it('[outside2 17] passes by a batch of revoked tokens that stay', async () => {
    const { sandbox, clock } = environments;
    const { client, grants } = await clientCredentialsTokens(1);
    const insert = statement(
      'insert_revoked',
      `with granted as (
         insert into {schema}.oauth_grants (id, client_id, organization_ids, scopes, audience, created_at, expires_at)
         select 'gra_revoked' || n, $1, '{}', '{}', $1, $2, $2 from generate_series(1, ${CHORE_ROWS_MAX}) n)
       insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at, revoked_at)
       select sha256(('revoked' || n)::bytea), 'tok_revoked' || n, 'access_token', 'gra_revoked' || n, '{}', $2, $2, $2
       from generate_series(1, ${CHORE_ROWS_MAX}) n`,
    );
    await sandbox.database.run(insert, [client.id, clock.now()]);
    clock.advanceSeconds(2 * HOUR);
    await tidy();
    expect(await grants()).toBe(1 + CHORE_ROWS_MAX);
  });

  it('[outside2 17] leaves nothing for the next round that is due in this one, and gives every chore its turn', async () => {
    const done: string[] = [];
    const chore = (name: string, batches: number): Chore<number> => ({
      name,
      async removeSome(_context, _now, after) {
        done.push(name);
        const next = (after ?? 0) + 1;
        return { rows: {}, more: next < batches, next };
      },
    });
    await cleanUp({
      context: environments.sandbox,
      chores: [chore('many', 250), chore('few', 2)],
      onRemoved() {},
      onError(_chore, error) {
        throw error;
      },
    });
    expect(done.slice(0, 5)).toEqual(['many', 'few', 'many', 'few', 'many']);
    expect(done).toHaveLength(252);
  });

  it('[outside2 17] ends when it is stopped, though there is always more to do', async () => {
    let batches = 0;
    const endless: Chore = {
      name: 'endless',
      async removeSome() {
        batches += 1;
        return { rows: {}, more: true };
      },
    };
    const stop = keepHouse({
      context: environments.sandbox,
      chores: [endless],
      onRemoved() {},
      onError(_chore, error) {
        throw error;
      },
      roundMs: 1,
    });
    await expect.poll(() => batches).toBeGreaterThan(2);
    await stop();
    const atTheEnd = batches;
    await environments.sandbox.session.run(statement('a_while', 'select 1'), []);
    expect(batches).toBe(atTheEnd);
  });

  // The embedded database has one process.
  it.runIf(engine === 'PostgreSQL')('[outside2 17] is done by one node at a time', async () => {
    const options = {
      context: environments.sandbox,
      onRemoved() {},
      onError(_chore: string, error: unknown) {
        throw error;
      },
    };
    let others = 0;
    const counting: Chore = {
      name: 'counting',
      async removeSome() {
        others += 1;
        return { rows: {}, more: false };
      },
    };
    const whileAnotherDoes: Chore = {
      name: 'while another does',
      async removeSome() {
        await cleanUp({ ...options, chores: [counting] });
        return { rows: {}, more: false };
      },
    };
    await cleanUp({ ...options, chores: [whileAnotherDoes] });
    expect(others).toBe(0);
    await cleanUp({ ...options, chores: [counting] });
    expect(others).toBe(1);
  });

  it('deletes a dead grant with many tokens in batches', async () => {
    const { sandbox, clock } = environments;
    const { grant } = await createGrantedUser(sandbox);
    const insert = statement(
      'insert_many',
      `insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at, used_at)
       select sha256((n || $1)::bytea), 'tok_' || n, 'refresh_token', $1, '{}', $2, $3, $2
       from generate_series(1, 1200) n`,
    );
    await sandbox.database.run(insert, [grant.id, clock.now(), grant.expiresAt]);
    await endGrantsById(sandbox, [grant.id], cause);
    clock.advanceSeconds(7 * DAY);
    await tidy();
    expect(await count('oauth_grants', 'id', grant.id)).toBe(0);
    expect(await count('oauth_tokens', 'grant_id', grant.id)).toBe(0);
    expect(removed.oauth_tokens).toBeGreaterThanOrEqual(1_202);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(CHORE_ROWS_MAX);
  });

  it('deletes a deleted client with everything it owned, and no other', async () => {
    const { sandbox, clock } = environments;
    const [deleted, disabled] = [await createGrantedUser(sandbox), await createGrantedUser(sandbox)];
    const mark = (column: string, id: string) =>
      sandbox.database.run(
        statement(`mark_${column}`, `update {schema}.oauth_clients set ${column} = $2 where id = $1`),
        [id, clock.now()],
      );
    await mark('deleted_at', deleted.client.id);
    await mark('disabled_at', disabled.client.id);
    clock.advanceSeconds(7 * DAY - 1);
    await tidy();
    expect(await count('oauth_clients', 'id', deleted.client.id)).toBe(1);
    clock.advanceSeconds(1);
    await tidy();
    const left = async ({ client, grant }: typeof deleted) => [
      await count('oauth_clients', 'id', client.id),
      await count('oauth_grants', 'id', grant.id),
      await count('oauth_tokens', 'grant_id', grant.id),
    ];
    expect([await left(deleted), await left(disabled)]).toEqual([
      [0, 0, 0],
      [1, 1, 2],
    ]);
  });

  it('keeps a code for a week after its end, and a stored refresh answer until its successor was used', async () => {
    const { sandbox, clock } = environments;
    const { client, user, refresh } = await createGrantedUser(sandbox);
    await issueCode(sandbox, {
      clientId: client.id,
      userId: user.id,
      organizationIds: [],
      scopes: [],
      audience: client.id,
      redirectUri: 'https://app.test/',
      codeChallenge: 'x',
      nonce: null,
      authenticatedAt: clock.now(),
    });
    const request = { client, refreshTokenValue: refresh.tokenValue, scope: undefined, resource: undefined };
    const first = await refreshToken(request);
    await tidy();
    expect(await refreshToken(request)).toEqual(first);
    await refreshToken({ ...request, refreshTokenValue: first.refreshTokenValue ?? '' });
    clock.advanceSeconds(60);
    await tidy();
    expect(removed.oauth_rotations).toBe(1);
    // The code has ended by now.
    clock.advanceSeconds(7 * DAY - 1);
    await tidy();
    expect(await count('oauth_codes', 'client_id', client.id)).toBe(1);
    clock.advanceSeconds(60);
    await tidy();
    expect(await count('oauth_codes', 'client_id', client.id)).toBe(0);
  });

  it('keeps the audit log for 400 days and occurrences for 90', async () => {
    const { sandbox, clock } = environments;
    const reason = `kept ${clock.now().toISOString()}`;
    await recordAudit(sandbox, [{ actor: cause.actor, action: 'test.done', reason }]);
    await recordOccurrences(sandbox, [{ type: reason, organizationIds: [], data: {} }]);
    const left = async () => [
      await count('occurrences', 'type', reason),
      await count('audit_log', 'reason', reason),
    ];
    clock.advanceSeconds(90 * DAY);
    await tidy();
    expect(await left()).toEqual([1, 1]);
    clock.advanceSeconds(1);
    await tidy();
    expect(await left()).toEqual([0, 1]);
    clock.advanceSeconds(310 * DAY - 1);
    await tidy();
    expect(await left()).toEqual([0, 1]);
    clock.advanceSeconds(1);
    await tidy();
    expect(await left()).toEqual([0, 0]);
  });

  it('[outside 12] deletes payloads and occurrences after their retention, and events a week later, held ones too', async () => {
    const { sandbox, clock } = environments;
    const { organization } = await createGrantedUser(sandbox);
    const box = await openSecretBox(sandbox, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' });
    const actor = cause.actor;
    const parts = { box, rules: { ports: [443], loopback: true }, actor };
    const made = { organizationId: organization.id, url: 'http://127.0.0.1:9/', format: 'raw' } as const;
    const { endpoint } = await createEndpoint(
      sandbox,
      {
        ...made,
        events: ['*'],
        apiVersion: null,
        enabled: true,
        description: null,
        maxPerSecond: null,
      },
      parts,
    );
    const happen = () =>
      renameOrganization(sandbox, organization.id, `Renamed at ${clock.now().toISOString()}`);
    await happen();
    await disableEndpoint(sandbox, endpoint.id, { reason: 'gone', actor });
    await happen();
    const left = async () => [
      await count('webhook_events', 'endpoint_id', endpoint.id),
      await count('webhook_payloads', 'format', 'raw'),
      await count('occurrences', 'type', 'organization.updated'),
    ];
    expect((await left())[0]).toBeGreaterThan(1);
    clock.advanceSeconds(90 * DAY + 1);
    await tidy();
    const [events, ...others] = await left();
    expect(events).toBeGreaterThan(1);
    expect(others).toEqual([0, 0]);
    clock.advanceSeconds(7 * DAY - 2);
    await tidy();
    expect((await left())[0]).toBe(events);
    clock.advanceSeconds(2);
    await happen();
    await tidy();
    // What has just happened stays.
    expect(await left()).toEqual([1, 1, 1]);

    await deleteKnownEndpoint(sandbox, endpoint.id, actor);
    clock.advanceSeconds(97 * DAY);
    await tidy();
    expect(await count('webhook_endpoints', 'id', endpoint.id)).toBe(1);
    clock.advanceSeconds(1);
    await tidy();
    expect(await count('webhook_endpoints', 'id', endpoint.id)).toBe(0);
    expect(await count('webhook_lanes', 'endpoint_id', endpoint.id)).toBe(0);
  });

  it('repeats by itself, and ends when it is stopped', async () => {
    const { sandbox, clock } = environments;
    const { grant } = await createGrantedUser(sandbox);
    const gone = await issueAccessToken(sandbox, grant);
    clock.advanceSeconds(8 * DAY);
    const stop = keepHouse({
      context: sandbox,
      chores,
      onRemoved() {},
      onError(_chore, error) {
        throw error;
      },
      roundMs: 5,
    });
    await expect.poll(() => stored(gone)).toBe(0);
    await stop();
  });

  it('reports a chore that fails, and runs the others', async () => {
    const { sandbox, clock } = environments;
    const { access } = await createGrantedUser(sandbox);
    clock.advanceSeconds(8 * DAY);
    const errors: string[] = [];
    let asked = 0;
    const context: Context = {
      ...sandbox,
      transaction(work) {
        asked += 1;
        return asked === 1 ? Promise.reject(new Error('gone')) : sandbox.transaction(work);
      },
    };
    await cleanUp({
      context,
      chores,
      onRemoved() {},
      onError: (chore, error) => errors.push(`${chore}: ${(error as Error).message}`),
    });
    expect(errors).toEqual(['oauth_rotations: gone']);
    expect(await stored(access)).toBe(0);
  });

  // The embedded database has one session, so no other session can hold a row there.
  it.runIf(engine === 'PostgreSQL')('skips rows that another session has locked', async () => {
    const { sandbox, clock } = environments;
    const [held, free] = [await createGrantedUser(sandbox), await createGrantedUser(sandbox)];
    clock.advanceSeconds(8 * DAY);
    const hold = statement('hold', 'select 1 from {schema}.oauth_tokens where id = $1 for update');
    await sandbox.transaction(async ({ session }) => {
      await session.run(hold, [held.access.token.id]);
      await tidy();
    });
    expect([await stored(held.access), await stored(free.access)]).toEqual([1, 0]);
    await tidy();
    expect(await stored(held.access)).toBe(0);
  });
});
