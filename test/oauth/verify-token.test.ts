import { expect, it } from 'vitest';
import { blockUser, removeMember } from '../../src/directory/users.ts';
import { createEnvironment } from '../../src/environments/environment.ts';
import { addMember } from '../../src/identity/members.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import { unblockUser } from '../../src/identity/users.ts';
import { newCheckedSecret } from '../../src/kernel/checked-secret.ts';
import { disableClient, enableClient } from '../../src/oauth/clients/clients/administer-clients.ts';
import { findLiveGrant, grantToOrganization, grantToUser } from '../../src/oauth/grants/grants.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { endGrants } from '../../src/oauth/tokens/store.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const ignoreSize = (): void => {};
const inactive = { active: false };

onEmbeddedFirst('verifying a token', (engine) => {
  const environments = useTestEnvironments(engine);
  const verify = (tokenValue: string) => createTokenVerifier(environments.sandbox, ignoreSize)(tokenValue);

  it('returns everything about an active access token', async () => {
    const { organization, user, client, grant, access } = await createGrantedUser(environments.sandbox);
    expect(access.tokenValue).toMatch(/^dl_test_at_[A-Za-z0-9]{38}$/);
    expect(await verify(access.tokenValue)).toEqual({
      active: true,
      tokenId: access.token.id,
      kind: 'access_token',
      clientId: client.id,
      grantId: grant.id,
      scopes: client.scopes,
      hasLostAllScopes: false,
      subject: { type: 'user', id: user.id },
      organizationIds: [organization.id],
      audience: client.id,
      issuedAt: access.token.issuedAt,
      expiresAt: access.token.expiresAt,
    });
  });

  it('returns the client’s organization as the subject of a client_credentials token', async () => {
    const { organization, client } = await createGrantedUser(environments.sandbox);
    const grant = await grantToOrganization(environments.sandbox, { client, scopes: ['products:read'] });
    const { tokenValue } = await issueAccessToken(environments.sandbox, grant);
    expect(await verify(tokenValue)).toMatchObject({
      subject: { type: 'organization', id: organization.id },
      organizationIds: [organization.id],
      scopes: ['products:read'],
    });
  });

  it('reports a token that was never issued inactive', async () => {
    expect(await verify(newCheckedSecret('dl_test_at_'))).toEqual(inactive);
    expect(await verify('')).toEqual(inactive);
    expect(await verify('dl_test_at_\u0000')).toEqual(inactive);
    expect(await verify('x'.repeat(100_000))).toEqual(inactive);
  });

  it('does not query the database for a string with a wrong checksum', async () => {
    let batches = 0;
    const counting = createTokenVerifier(environments.sandbox, () => {
      batches += 1;
    });
    const { access } = await createGrantedUser(environments.sandbox);
    const last = access.tokenValue.at(-1) === '0' ? '1' : '0';
    expect(await counting(access.tokenValue.slice(0, -1) + last)).toEqual(inactive);
    expect(batches).toBe(0);
    await counting(access.tokenValue);
    expect(batches).toBe(1);
  });

  it('counts a token as dead from the very second of its end', async () => {
    const { access, refresh } = await createGrantedUser(environments.sandbox);
    const { clock } = environments;
    const end = access.token.expiresAt;
    expect(end.getTime() % 1000).toBe(0);
    clock.set(new Date(end.getTime() - 1));
    expect(await verify(access.tokenValue)).toMatchObject({ active: true });
    clock.set(end);
    expect(await verify(access.tokenValue)).toEqual(inactive);
    expect(await verify(refresh.tokenValue)).toMatchObject({ active: true, kind: 'refresh_token' });
  });

  it('counts a token as dead at the end of its grant at the latest', async () => {
    const { sandbox, clock } = environments;
    const { grant } = await createGrantedUser(sandbox);
    clock.set(new Date(grant.expiresAt.getTime() - 5_000));
    const { token, tokenValue } = await issueAccessToken(sandbox, grant);
    expect(token.expiresAt).toEqual(grant.expiresAt);
    clock.set(grant.expiresAt);
    expect(await verify(tokenValue)).toEqual(inactive);
  });

  it('applies a block and an unblock of the user at once', async () => {
    const { user, access } = await createGrantedUser(environments.sandbox);
    await blockUser(environments.sandbox, user.id);
    expect(await verify(access.tokenValue)).toEqual(inactive);
    await unblockUser(environments.sandbox, user.id);
    expect(await verify(access.tokenValue)).toMatchObject({ active: true });
  });

  it('applies the disabling of a client at once', async () => {
    const { client, access } = await createGrantedUser(environments.sandbox);
    await disableClient(environments.sandbox, client.id);
    expect(await verify(access.tokenValue)).toEqual(inactive);
    await enableClient(environments.sandbox, client.id);
    expect(await verify(access.tokenValue)).toMatchObject({ active: true });
  });

  it('applies the revocation of a grant at once, to all of its tokens', async () => {
    const { grant, access, refresh } = await createGrantedUser(environments.sandbox);
    expect(await findLiveGrant(environments.sandbox, refresh.tokenValue)).toMatchObject({ id: grant.id });
    await endGrants(environments.sandbox.session, [grant.id], environments.sandbox.clock.now());
    expect(await verify(access.tokenValue)).toEqual(inactive);
    expect(await verify(refresh.tokenValue)).toEqual(inactive);
    expect(await findLiveGrant(environments.sandbox, refresh.tokenValue)).toBeNull();
  });

  it('counts tokens issued before a client’s revocation cutoff as dead, and later ones as live', async () => {
    const { sandbox, clock } = environments;
    const { client, grant, access } = await createGrantedUser(sandbox);
    clock.advanceSeconds(1);
    const mark = statement('mark', 'update {schema}.oauth_clients set revoked_before = $2 where id = $1');
    await sandbox.database.run(mark, [client.id, clock.now()]);
    const later = await issueAccessToken(sandbox, grant);
    expect(await verify(access.tokenValue)).toEqual(inactive);
    expect(await verify(later.tokenValue)).toMatchObject({ active: true });
  });

  it('lists the organizations chosen at consent that the user still belongs to', async () => {
    const { sandbox } = environments;
    const { organization, user, client } = await createGrantedUser(sandbox);
    const [chosen, notChosen] = [
      await createOrganization(sandbox, { name: 'chosen' }),
      await createOrganization(sandbox, { name: 'not chosen' }),
    ];
    for (const { id } of [chosen, notChosen])
      await addMember(sandbox, { organizationId: id, userId: user.id });
    const organizationIds = [organization.id, chosen.id];
    const grant = await grantToUser(sandbox, {
      client,
      userId: user.id,
      organizationIds,
      scopes: client.scopes,
    });
    const { tokenValue } = await issueAccessToken(sandbox, grant);
    expect(await verify(tokenValue)).toMatchObject({ organizationIds: organizationIds.sort() });
    await removeMember(sandbox, { organizationId: organization.id, userId: user.id });
    expect(await verify(tokenValue)).toMatchObject({ active: true, organizationIds: [chosen.id] });
    await removeMember(sandbox, { organizationId: chosen.id, userId: user.id });
    expect(await verify(tokenValue)).toMatchObject({ active: true, organizationIds: [] });
  });

  it('rejects another environment’s tokens, even with the very same row', async () => {
    const { access } = await createGrantedUser(environments.sandbox);
    const { production, sandbox } = environments;
    expect(await createTokenVerifier(production, ignoreSize)(access.tokenValue)).toEqual(inactive);
    // Even over the sandbox's own data, production's prefix does not match.
    const crossed = createEnvironment({ ...sandbox, name: 'production' });
    expect(await createTokenVerifier(crossed, ignoreSize)(access.tokenValue)).toEqual(inactive);
  });

  it('answers many at once, each its own, in few statements', async () => {
    const sizes: number[] = [];
    const batched = createTokenVerifier(environments.sandbox, (size) => sizes.push(size));
    const granted: Awaited<ReturnType<typeof createGrantedUser>>[] = [];
    for (let index = 0; index < 4; index += 1) granted.push(await createGrantedUser(environments.sandbox));
    const values = Array.from({ length: 100 }, (_, index) =>
      index % 5 === 4 ? newCheckedSecret('dl_test_at_') : (granted[index % 5]?.access.tokenValue as string),
    );
    const answers = await Promise.all(values.map((value) => batched(value)));
    answers.forEach((answer, index) => {
      const expected = granted[index % 5]?.access.token.id;
      if (expected === undefined) expect(answer).toEqual(inactive);
      else expect(answer).toMatchObject({ active: true, tokenId: expected });
    });
    expect(sizes).toEqual([64, 36]);
  });

  it('stores no token value, only digests', async () => {
    const { access, refresh } = await createGrantedUser(environments.sandbox);
    const dump = statement('dump', 'select t::text as row from {schema}.oauth_tokens t');
    const rows = JSON.stringify(await environments.sandbox.database.run(dump, []));
    expect(rows).not.toContain(access.tokenValue.slice(12, 30));
    expect(rows).not.toContain(refresh.tokenValue.slice(12, 30));
  });
});
