import { expect, it } from 'vitest';
import { recordAudit } from '../../src/audit/audit-log.ts';
import { blockUser } from '../../src/directory/users.ts';
import type { Context } from '../../src/environments/environment.ts';
import { newCheckedSecret } from '../../src/kernel/checked-secret.ts';
import { newId } from '../../src/kernel/ids.ts';
import { revokeInBulk } from '../../src/oauth/tokens/bulk/revoke-in-bulk.ts';
import { endAll, endGrantsById } from '../../src/oauth/tokens/end-tokens.ts';
import { explainToken } from '../../src/oauth/tokens/explain-token.ts';
import { findTokenById } from '../../src/oauth/tokens/store.ts';
import type { TokenRecord } from '../../src/oauth/tokens/token-record.ts';
import type { OAuthClientId, TokenId } from '../../src/oauth/types.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const operator = { type: 'operator', id: 'opk_1' } as const;

onEmbeddedFirst('explaining a token', (engine) => {
  const environments = useTestEnvironments(engine);
  const explain = async (tokenId: TokenId) => {
    const { ends } = await explainToken(environments.sandbox, { tokenId });
    return ends.map(({ state, at, actor, reason }) => ({ state, at, actor, reason }));
  };

  it('finds nothing wrong with a live token, by id or by value', async () => {
    const { access } = await createGrantedUser(environments.sandbox);
    expect(await explain(access.token.id)).toEqual([]);
    const { token, ends } = await explainToken(environments.sandbox, { tokenValue: access.tokenValue });
    expect([token?.id, ends]).toEqual([access.token.id, []]);
  });

  it('returns nothing for a token that was never issued', async () => {
    for (const tokenValue of [
      newCheckedSecret('dl_test_at_'),
      newCheckedSecret('dl_at_'),
      'garbage',
      '\u0000',
    ])
      expect(await explainToken(environments.sandbox, { tokenValue })).toEqual({
        token: null,
        ends: [],
        history: [],
      });
    const tokenId: TokenId = newId('tok', environments.clock.now());
    expect((await explainToken(environments.sandbox, { tokenId })).token).toBeNull();
  });

  it('still shows the audit entries of a deleted token', async () => {
    const { sandbox } = environments;
    const tokenId: TokenId = newId('tok', environments.clock.now());
    await recordAudit(sandbox, [{ actor: operator, action: 'token.revoked', tokenId, reason: 'long ago' }]);
    const { token, history } = await explainToken(sandbox, { tokenId });
    expect([token, history.map(({ reason }) => reason)]).toEqual([null, ['long ago']]);
  });

  it('names who revoked a token or its grant, when and why', async () => {
    const { sandbox, clock } = environments;
    const { client, grant, access, refresh } = await createGrantedUser(sandbox);
    const token = (await findTokenById(sandbox.session, access.token.id)) as TokenRecord;
    const actor = { type: 'client', id: client.id } as const;
    const revokedAt = clock.now();
    await endAll(sandbox, [{ token, actor, reason: 'revoked by its client' }]);
    clock.advanceSeconds(5);
    await endGrantsById(sandbox, [grant.id], { actor: operator, reason: 'laptop stolen' });
    const ofGrant = { state: 'grant_revoked', at: clock.now(), actor: operator, reason: 'laptop stolen' };
    expect(await explain(access.token.id)).toEqual([
      { state: 'revoked', at: revokedAt, actor, reason: 'revoked by its client' },
      ofGrant,
    ]);
    expect(await explain(refresh.token.id)).toEqual([ofGrant]);
  });

  it('puts the first cause first: an expired token was not ended by a later block', async () => {
    const { sandbox, clock } = environments;
    const { user, access, refresh } = await createGrantedUser(sandbox);
    clock.set(access.token.expiresAt);
    clock.advanceSeconds(10);
    await blockUser(sandbox, user.id);
    await recordAudit(sandbox, [
      { actor: operator, action: 'user.blocked', userId: user.id, reason: 'spam' },
    ]);
    const blocked = { state: 'user_blocked', at: clock.now(), actor: operator, reason: 'spam' };
    expect(await explain(access.token.id)).toEqual([
      {
        state: 'expired',
        at: access.token.expiresAt,
        actor: { type: 'system', id: null },
        reason: 'it expired',
      },
      blocked,
    ]);
    expect(await explain(refresh.token.id)).toEqual([blocked]);
  });

  it('finds the block that is in force among several', async () => {
    const { sandbox, clock } = environments;
    const { user, access } = await createGrantedUser(sandbox);
    const entry = { actor: operator, action: 'user.blocked', userId: user.id };
    await recordAudit(sandbox, [{ ...entry, reason: 'an earlier one, undone since' }]);
    clock.advanceSeconds(60);
    await blockUser(sandbox, user.id);
    await recordAudit(sandbox, [{ ...entry, reason: 'this one' }]);
    expect(await explain(access.token.id)).toMatchObject([{ state: 'user_blocked', reason: 'this one' }]);
  });

  it.each([
    ['client_disabled', 'disabled_at', 'client.disabled'],
    ['client_deleted', 'deleted_at', 'client.deleted'],
  ])('reports the state of the client: %s', async (state, column, action) => {
    const { sandbox, clock } = environments;
    const { client, access } = await createGrantedUser(sandbox);
    await mark(sandbox, column, client.id);
    expect(await explain(access.token.id)).toEqual([{ state, at: clock.now(), actor: null, reason: null }]);
    await recordAudit(sandbox, [{ actor: operator, action, clientId: client.id, reason: 'abuse' }]);
    expect(await explain(access.token.id)).toMatchObject([{ state, actor: operator, reason: 'abuse' }]);
  });

  it('reports that a refresh token was exchanged', async () => {
    const { sandbox, clock } = environments;
    const { client, refresh } = await createGrantedUser(sandbox);
    const use = statement('use', 'update {schema}.oauth_tokens set used_at = $2 where id = $1');
    await sandbox.database.run(use, [refresh.token.id, clock.now()]);
    expect(await explain(refresh.token.id)).toMatchObject([
      { state: 'used', actor: { type: 'client', id: client.id } },
    ]);
  });

  it('dates a revocation cutoff by when it was set, not by its instant', async () => {
    const { sandbox, clock } = environments;
    const { client, access } = await createGrantedUser(sandbox);
    clock.advanceSeconds(60);
    const issuedBefore = clock.now();
    clock.advanceSeconds(600);
    await revokeInBulk(sandbox, {
      selection: { clientId: client.id, subject: null, organizationId: null, issuedBefore },
      cause: { actor: operator, reason: 'bad build' },
      dryRun: false,
      after: null,
    });
    const cut = { at: clock.now(), actor: operator, reason: 'bad build' };
    const ends = await explain(access.token.id);
    expect(ends).toHaveLength(2);
    expect(ends).toEqual(
      expect.arrayContaining([
        { state: 'cut_by_client', ...cut },
        { state: 'cut_by_grant', ...cut },
      ]),
    );
  });
});

async function mark({ session, clock }: Context, column: string, id: OAuthClientId): Promise<void> {
  const text = `update {schema}.oauth_clients set ${column} = $2 where id = $1`;
  await session.run(statement(`mark_${column}`, text), [id, clock.now()]);
}
