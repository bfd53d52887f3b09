import { expect, it } from 'vitest';
import { digestOf } from '../../src/kernel/digest.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../src/oauth/clients/authentication/client-secrets.ts';
import { disableClient } from '../../src/oauth/clients/clients/administer-clients.ts';
import { lookUp } from '../../src/oauth/tokens/store.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

onEmbeddedFirst('looking up callers and tokens in one statement', (engine) => {
  const environments = useTestEnvironments(engine);

  async function clientWithSecret() {
    const { client, access, refresh } = await createGrantedUser(environments.sandbox);
    const secretValue = newClientSecretValue(environments.sandbox);
    await storeClientSecret(environments.sandbox, { clientId: client.id, secretValue });
    const ask = (tokenValue: string) => ({ clientId: client.id, tokenDigest: digestOf(tokenValue) });
    return { client, secretValue, access, refresh, ask };
  }

  const seen = ({ caller, token }: Awaited<ReturnType<typeof lookUp>>[number]) => [
    caller?.id ?? null,
    caller?.secretDigests.map((digest) => Buffer.from(digest)) ?? null,
    token?.id ?? null,
  ];

  it('matches each of several callers to its token, in request order', async () => {
    const one = await clientWithSecret();
    const other = await clientWithSecret();
    const found = await lookUp(environments.sandbox.session, [
      one.ask(other.access.tokenValue),
      { clientId: 'cli_unknown', tokenDigest: digestOf(one.access.tokenValue) },
      other.ask(other.access.tokenValue),
      one.ask(one.refresh.tokenValue),
      { clientId: other.client.id, tokenDigest: null },
      one.ask('never issued'),
      one.ask(other.access.tokenValue),
    ]);
    const expected = ({ client, secretValue }: typeof one, tokenId: string | null) => [
      client.id,
      [digestOf(secretValue)],
      tokenId,
    ];
    expect(found.map(seen)).toEqual([
      expected(one, other.access.token.id),
      [null, null, one.access.token.id],
      expected(other, other.access.token.id),
      expected(one, one.refresh.token.id),
      expected(other, null),
      expected(one, null),
      expected(one, other.access.token.id),
    ]);
  });

  it('reads every instant from its own column, as the milliseconds that have passed by then', async () => {
    const { access, ask } = await clientWithSecret();
    const columns = {
      oauth_tokens: { issued_at: 1, expires_at: 2, revoked_at: 3, used_at: 4 },
      oauth_grants: { expires_at: 5, revoked_at: 6, revoked_before: 7, repeatable_until: 12 },
      oauth_clients: { disabled_at: 8, deleted_at: 9, revoked_before: 10 },
      users: { blocked_at: 11 },
    };
    for (const [table, instants] of Object.entries(columns)) {
      const changes = Object.entries(instants).map(([column, second]) => `${column} = ${instantAt(second)}`);
      await environments.sandbox.session.run(
        statement(`set_instants_of_${table}`, `update {schema}.${table} set ${changes.join(', ')}`),
        [],
      );
    }
    const [found] = await lookUp(environments.sandbox.session, [ask(access.tokenValue)]);
    const at = (second: number): Date => new Date(second * 1000 + 999);
    expect(found?.token).toMatchObject({
      ...{ issuedAt: at(1), expiresAt: at(2), revokedAt: at(3), usedAt: at(4) },
      ...{ grantExpiresAt: at(5), grantRevokedAt: at(6), grantRevokedBefore: at(7), repeatableUntil: at(12) },
      ...{ clientDisabledAt: at(8), clientDeletedAt: at(9), clientRevokedBefore: at(10) },
      ...{ userBlockedAt: at(11), organizationSuspendedAt: null },
    });
  });

  /** Almost the next second: rounding would make it that. */
  const instantAt = (second: number): string => `timestamptz 'epoch' + interval '${second}.999999 s'`;

  it('finds no disabled caller', async () => {
    const { client, access, ask } = await clientWithSecret();
    await disableClient(environments.sandbox, client.id);
    const [found] = await lookUp(environments.sandbox.session, [ask(access.tokenValue)]);
    expect(found && seen(found)).toEqual([null, null, access.token.id]);
  });
});
