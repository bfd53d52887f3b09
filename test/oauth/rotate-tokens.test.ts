import { expect, it } from 'vitest';
import { digestOf, sha256Hex } from '../../src/kernel/digest.ts';
import { rotateTokens } from '../../src/oauth/grants/refresh/store.ts';
import { newToken } from '../../src/oauth/tokens/issue-token.ts';
import { findTokens } from '../../src/oauth/tokens/store.ts';
import type { TokenRecord } from '../../src/oauth/tokens/token-record.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

onEmbeddedFirst('tokens, rotated', (engine) => {
  const environments = useTestEnvironments(engine);

  /** A refresh token as it was read a moment ago, and what exchanges it. */
  async function readToken() {
    const { sandbox } = environments;
    const { grant, client, refresh } = await createGrantedUser(sandbox);
    const digest = digestOf(refresh.tokenValue);
    const [token] = (await findTokens(sandbox.session, [digest])) as [TokenRecord];
    const rotation = () => ({
      token,
      access: newToken(sandbox, grant, 'access_token'),
      successor: newToken(sandbox, grant, 'refresh_token'),
      at: sandbox.clock.now(),
      graceEnd: sandbox.clock.now(),
      scope: '',
      sealedAnswer: Buffer.from('sealed'),
      originDigest: Buffer.from('origin'),
    });
    return { grant, client, token, rotation };
  }

  const nameOf = (sql: string): string => sha256Hex(sql).slice(0, 32);
  const run = (sql: string, parameters: readonly unknown[]) =>
    environments.sandbox.session.run(statement(nameOf(sql), sql), parameters);
  const tokensOf = async (grantId: string): Promise<number> =>
    (await run('select 1 from {schema}.oauth_tokens where grant_id = $1', [grantId])).length;

  it('get two successors, once, however often they are asked for together', async () => {
    const { grant, rotation } = await readToken();
    const answers = await rotateTokens(environments.sandbox.session, [rotation(), rotation()]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await rotateTokens(environments.sandbox.session, [rotation()])).toEqual([false]);
    expect(await tokensOf(grant.id)).toBe(4);
  });

  const later = "timestamptz '2100-01-01'";
  it.each([
    ['the token was revoked', `update {schema}.oauth_tokens set revoked_at = ${later} where digest = $1`],
    ['its grant was revoked', `update {schema}.oauth_grants set revoked_at = ${later} where id = $2`],
    ['its grant was cut', `update {schema}.oauth_grants set revoked_before = ${later} where id = $2`],
    ['its client was cut', `update {schema}.oauth_clients set revoked_before = ${later} where id = $3`],
  ])('are left as they are where %s since they were read', async (_what, change) => {
    const { grant, client, token, rotation } = await readToken();
    const parameters = [token.digest, grant.id, client.id];
    const used = Number(/\$(\d)/.exec(change)?.[1]);
    await run(change.replace(/\$\d/, '$1'), [parameters[used - 1]]);
    expect(await rotateTokens(environments.sandbox.session, [rotation()])).toEqual([false]);
    expect(await tokensOf(grant.id)).toBe(2);
  });

  it('count as issued after a cut of the same instant', async () => {
    const { grant, client, token, rotation } = await readToken();
    await run('update {schema}.oauth_clients set revoked_before = $2 where id = $1', [
      client.id,
      token.issuedAt,
    ]);
    expect(await rotateTokens(environments.sandbox.session, [rotation()])).toEqual([true]);
    expect(await tokensOf(grant.id)).toBe(4);
  });
});
