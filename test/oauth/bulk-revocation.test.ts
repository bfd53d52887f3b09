import { expect, it } from 'vitest';
import { blockUser } from '../../src/directory/users.ts';
import { addMember } from '../../src/identity/members.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import { unblockUser } from '../../src/identity/users.ts';
import { createCodeExchanger } from '../../src/oauth/authorize/codes/exchange-code.ts';
import { issueCode } from '../../src/oauth/authorize/codes/issue-code.ts';
import { findConsent, rememberConsent } from '../../src/oauth/authorize/consent/consents.ts';
import { grantToOrganization, grantToUser } from '../../src/oauth/grants/grants.ts';
import { type BulkOutcome, revokeInBulk } from '../../src/oauth/tokens/bulk/revoke-in-bulk.ts';
import type { Selection } from '../../src/oauth/tokens/bulk/selection.ts';
import { issueAccessToken, issueRefreshToken } from '../../src/oauth/tokens/issue-token.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import type { OAuthClientId } from '../../src/oauth/types.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { writtenDown } from '../support/run/written-down.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const cause = { actor: { type: 'operator', id: 'opk_1' }, reason: 'bulk' } as const;

onEmbeddedFirst('revoking in bulk', (engine) => {
  const environments = useTestEnvironments(engine);
  const nothing: Selection = { clientId: null, subject: null, organizationId: null, issuedBefore: null };
  const revoke = (selection: Partial<Selection>, change = {}): Promise<BulkOutcome> =>
    revokeInBulk(environments.sandbox, {
      selection: { ...nothing, ...selection },
      cause,
      dryRun: false,
      after: null,
      ...change,
    });
  const active = (...tokens: { tokenValue: string }[]): Promise<boolean[]> => {
    const verify = createTokenVerifier(environments.sandbox, () => {});
    return Promise.all(tokens.map(async ({ tokenValue }) => (await verify(tokenValue)).active));
  };

  it('withdraws the consent to the client whose grants end, and to no other of the same audience', async () => {
    const { sandbox } = environments;
    const { user, client } = await createGrantedUser(sandbox);
    const { client: other } = await createGrantedUser(sandbox);
    const consentTo = (clientId: OAuthClientId) => ({
      userId: user.id,
      clientId,
      audience: 'https://api.test',
    });
    for (const { id } of [client, other])
      await rememberConsent(sandbox, consentTo(id), { scopes: ['openid'], organizationIds: [] });
    await revoke({ clientId: client.id });
    expect(await findConsent(sandbox, consentTo(client.id))).toBeNull();
    expect(await findConsent(sandbox, consentTo(other.id))).not.toBeNull();
  });

  it('ends all grants of a user, counted beforehand, and no others', async () => {
    const { sandbox } = environments;
    const { user, access, refresh, client, grant } = await createGrantedUser(sandbox);
    const other = await createGrantedUser(sandbox);
    const subject = { type: 'user', id: user.id } as const;
    expect(await revoke({ subject }, { dryRun: true })).toEqual({ grants: 1, tokens: 2, next: null });
    expect(await active(access, refresh)).toEqual([true, true]);
    expect(await revoke({ subject })).toEqual({ grants: 1, tokens: 2, next: null });
    expect(await active(access, refresh, other.access)).toEqual([false, false, true]);
    expect(await revoke({ subject })).toEqual({ grants: 0, tokens: 0, next: null });
    const written = writtenDown(sandbox.session);
    const published = (await written.occurrences('grant.revoked')).filter(({ data }) => data.sub === user.id);
    expect(published.map(({ data }) => data)).toEqual([
      {
        grant_id: grant.id,
        client_id: client.id,
        sub_type: 'user',
        sub: user.id,
        revoked_at: environments.clock.now().toISOString(),
      },
    ]);
    const ended = (await written.audit('grant.revoked')).filter(({ user_id }) => user_id === user.id);
    expect(ended).toMatchObject([{ actor_id: 'opk_1', reason: 'bulk', grant_id: grant.id }]);
    const actions = (await written.audit('tokens.revoked')).filter(({ user_id }) => user_id === user.id);
    // One entry per revocation, whether anything was left to end or not; a dry run has none.
    expect(actions).toHaveLength(2);
  });

  it('filters by every selector', async () => {
    const { sandbox } = environments;
    const { user, client, access, organization } = await createGrantedUser(sandbox);
    const second = await createGrantedUser(sandbox);
    const organizationIds = [organization.id];
    const elsewhere = await grantToUser(sandbox, {
      client: second.client,
      userId: user.id,
      organizationIds,
      scopes: client.scopes,
    });
    const token = await issueAccessToken(sandbox, elsewhere);
    const subject = { type: 'user', id: user.id } as const;
    expect(await revoke({ subject, clientId: second.client.id })).toMatchObject({ grants: 1, tokens: 1 });
    expect(await active(access, token, second.access)).toEqual([true, false, true]);
  });

  it('by organization ends grants that reach it, and all of its own clients unless one client is named', async () => {
    const { sandbox } = environments;
    const own = await createGrantedUser(sandbox);
    const reached = await createOrganization(sandbox, { name: 'Reached' });
    await addMember(sandbox, { organizationId: reached.id, userId: own.user.id });
    const foreign = await createGrantedUser(sandbox);
    const reaching = await grantToUser(sandbox, {
      client: own.client,
      userId: own.user.id,
      organizationIds: [reached.id],
      scopes: own.client.scopes,
    });
    const token = await issueAccessToken(sandbox, reaching);
    const ofClient = { organizationId: own.organization.id, clientId: own.client.id };
    // The grant that reaches another organization is of this client, but does not reach this one.
    expect(await revoke(ofClient, { dryRun: true })).toMatchObject({ grants: 1, tokens: 2 });
    const whole = { organizationId: own.organization.id };
    expect(await revoke(whole, { dryRun: true })).toMatchObject({ grants: 2, tokens: 3 });
    expect(await revoke({ organizationId: reached.id })).toMatchObject({ grants: 1, tokens: 1 });
    expect(await active(token, own.access, foreign.access)).toEqual([false, true, true]);
    expect(await revoke(whole)).toMatchObject({ grants: 1, tokens: 2 });
    expect(await active(own.access, foreign.access)).toEqual([false, true]);
  });

  it('with an organization as subject ends tokens that its clients obtained for themselves', async () => {
    const { sandbox } = environments;
    const { organization, client, access } = await createGrantedUser(sandbox);
    const grant = await grantToOrganization(sandbox, { client, scopes: ['products:read'] });
    const token = await issueAccessToken(sandbox, grant);
    const subject = { type: 'organization', id: organization.id } as const;
    expect(await revoke({ subject })).toMatchObject({ grants: 1, tokens: 1 });
    expect(await active(token, access)).toEqual([false, true]);
  });

  it('before an instant ends older tokens; the grant and its later tokens stay active', async () => {
    const { sandbox, clock } = environments;
    const { user, grant, access, refresh } = await createGrantedUser(sandbox);
    clock.advanceSeconds(60);
    const issuedBefore = clock.now();
    const later = [await issueAccessToken(sandbox, grant), await issueRefreshToken(sandbox, grant)];
    clock.advanceSeconds(60);
    const selection = { subject: { type: 'user', id: user.id }, issuedBefore } as const;
    expect(await revoke(selection, { dryRun: true })).toEqual({ grants: 1, tokens: 2, next: null });
    expect(await revoke(selection)).toEqual({ grants: 1, tokens: 2, next: null });
    expect(await active(access, refresh, ...later)).toEqual([false, false, true, true]);
    expect(await revoke(selection)).toEqual({ grants: 0, tokens: 0, next: null });
    const published = await writtenDown(sandbox.session).occurrences('token.revoked');
    const ids = published.filter(({ data }) => data.sub === user.id).map(({ data }) => data.token_id);
    expect(ids.sort()).toEqual([access.token.id, refresh.token.id].sort());
    // One act, one entry: what it ended is not written down token by token.
    const audit = writtenDown(sandbox.session).audit;
    expect((await audit('token.revoked')).filter(({ user_id }) => user_id === user.id)).toEqual([]);
  });

  it('before an instant writes down each token once, though an earlier cut ended some of them', async () => {
    const { sandbox, clock } = environments;
    const { user, grant } = await createGrantedUser(sandbox);
    const subject = { type: 'user', id: user.id } as const;
    clock.advanceSeconds(60);
    expect(await revoke({ subject, issuedBefore: clock.now() })).toMatchObject({ tokens: 2 });
    const later = await issueAccessToken(sandbox, grant);
    clock.advanceSeconds(60);
    expect(await revoke({ subject, issuedBefore: clock.now() })).toEqual({
      grants: 1,
      tokens: 1,
      next: null,
    });
    const published = await writtenDown(sandbox.session).occurrences('token.revoked');
    const ids = published.filter(({ data }) => data.sub === user.id).map(({ data }) => data.token_id);
    expect([ids.length, ids.at(-1)]).toEqual([3, later.token.id]);
  });

  it('treats an instant in the future as now: tokens issued later are active', async () => {
    const { sandbox, clock } = environments;
    const { user, grant, access } = await createGrantedUser(sandbox);
    clock.advanceSeconds(1);
    const issuedBefore = new Date(clock.now().getTime() + 3_600_000);
    await revoke({ subject: { type: 'user', id: user.id }, issuedBefore });
    const later = await issueAccessToken(sandbox, grant);
    expect(await active(access, later)).toEqual([false, true]);
  });

  it('ends tokens of a blocked user for good: unblocking does not bring them back', async () => {
    const { sandbox, clock } = environments;
    const { user, access, refresh } = await createGrantedUser(sandbox);
    await blockUser(sandbox, user.id);
    clock.advanceSeconds(1);
    const selection = { subject: { type: 'user', id: user.id }, issuedBefore: clock.now() } as const;
    expect(await revoke(selection)).toMatchObject({ grants: 1, tokens: 2 });
    await unblockUser(sandbox, user.id);
    expect(await active(access, refresh)).toEqual([false, false]);
  });

  it('withdraws earlier codes, so that they cannot be exchanged afterwards', async () => {
    const { sandbox, clock } = environments;
    const [own, other] = [await createGrantedUser(sandbox), await createGrantedUser(sandbox)];
    const before = clock.now();
    clock.advanceSeconds(1);
    const [code, elsewhere] = [await codeFor(own), await codeFor(other)];
    const selection = { subject: { type: 'user', id: own.user.id } } as const;
    await revoke({ ...selection, issuedBefore: before });
    await revoke({ ...selection }, { dryRun: true });
    expect(await exchange(own, await codeFor(own))).toBe('tokens');
    clock.advanceSeconds(1);
    await revoke({ ...selection, issuedBefore: clock.now() });
    expect([await exchange(own, code), await exchange(other, elsewhere)]).toEqual(['refused', 'tokens']);
    const ofOrganization = await codeFor(own);
    await revoke({ organizationId: own.organization.id });
    expect(await exchange(own, ofOrganization)).toBe('refused');
    const ofClient = await codeFor(own);
    await revoke({ clientId: own.client.id });
    expect(await exchange(own, ofClient)).toBe('refused');
  });

  it('of a whole client ends its tokens at once by one row, before the first batch', async () => {
    const { sandbox, clock } = environments;
    const { client, access } = await createGrantedUser(sandbox);
    clock.advanceSeconds(1);
    const statements = failingAt(sandbox, 'lock_grants');
    await expect(
      revokeInBulk(statements, {
        selection: { ...nothing, clientId: client.id },
        cause,
        dryRun: false,
        after: null,
      }),
    ).rejects.toThrow('cut off');
    expect(await active(access)).toEqual([false]);
    // The next request does the rest.
    expect(await revoke({ clientId: client.id })).toMatchObject({ grants: 1, tokens: 2 });
  });

  itInLongRuns('stops after some thousands, returns a cursor, and continues from it', async () => {
    const { sandbox } = environments;
    const { client, user } = await createGrantedUser(sandbox);
    await makeGrants(3_400, client.id, user.id);
    const subject = { type: 'user', id: user.id } as const;
    const first = await revoke({ subject });
    expect(first).toEqual({
      grants: 3_000,
      tokens: expect.any(Number),
      next: expect.stringMatching(/^gra_/),
    });
    const rest = await revoke({ subject }, { after: first.next });
    expect([first.grants + rest.grants, first.tokens + rest.tokens, rest.next]).toEqual([3_401, 3_402, null]);
    const actions = await writtenDown(sandbox.session).audit('tokens.revoked');
    expect(actions.filter(({ user_id }) => user_id === user.id)).toHaveLength(1);
  });

  type Granted = Awaited<ReturnType<typeof createGrantedUser>>;

  const codeFor = ({ client, user, organization }: Granted): Promise<string> =>
    issueCode(environments.sandbox, {
      clientId: client.id,
      userId: user.id,
      organizationIds: [organization.id],
      scopes: ['products:read'],
      audience: client.id,
      redirectUri: 'https://app.test/',
      redirectUriOmitted: false,
      // RFC 7636, appendix B
      codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      nonce: null,
      authenticatedAt: environments.clock.now(),
    });

  async function exchange({ client }: Granted, codeValue: string): Promise<'tokens' | 'refused'> {
    const onBatch = { find() {}, use() {} };
    const exchangeCode = createCodeExchanger(environments.sandbox, async () => '', onBatch);
    const exchanging = exchangeCode({
      client,
      codeValue,
      redirectUri: 'https://app.test/',
      codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      resource: undefined,
      bareIdToken: false,
      hasLeft: () => false,
    });
    return exchanging.then(
      () => 'tokens',
      () => 'refused',
    );
  }

  /** Grants with one access token each, created by the database itself. */
  async function makeGrants(count: number, clientId: string, userId: string): Promise<void> {
    const { database, clock } = environments.sandbox;
    const end = new Date(clock.now().getTime() + 3_600_000);
    await database.run(
      statement(
        'make_grants',
        `insert into {schema}.oauth_grants
           (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at)
         select 'gra_' || lpad(n::text, 22, '0'), $2, $3, '{}', '{}', $2, $4, $5 from generate_series(1, $1) n`,
      ),
      [count, clientId, userId, clock.now(), end],
    );
    await database.run(
      statement(
        'make_tokens',
        `insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
         select sha256(id::bytea), id, 'access_token', id, '{}', $2, $3 from {schema}.oauth_grants
         where user_id = $1 and id like 'gra_000000000%'`,
      ),
      [userId, clock.now(), end],
    );
  }
});

/** The same environment, whose transactions fail at a given statement. */
function failingAt(environment: Parameters<typeof revokeInBulk>[0], name: string) {
  return {
    ...environment,
    transaction: <Result>(work: Parameters<typeof environment.transaction<Result>>[0]) =>
      environment.transaction<Result>((context) => {
        const session = {
          ...context.session,
          run: <Row>(hot: { name: string; text: string }, parameters: readonly unknown[]) => {
            if (hot.name === name) throw new Error('cut off');
            return context.session.run<Row>(hot, parameters);
          },
        };
        const inside = {
          ...context,
          session,
          transaction: (inner: typeof work) => inner(inside),
        } as typeof context;
        return work(inside);
      }),
  } as typeof environment;
}
