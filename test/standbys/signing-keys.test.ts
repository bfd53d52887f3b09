import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { createEnvironment, type Environment } from '../../src/environments/environment.ts';
import { createSigningKeys } from '../../src/oauth/signing/signing-keys.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../src/oauth/types.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import type { StandbyLink } from '../../src/standbys/standby-link.ts';
import type { ReadSession } from '../../src/storage/database.ts';
import { createIdentityTokens } from '../../src/upstream/identity-token.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

/** A standby that may be read from, and hears of nothing any more: what it has shown once is what it shows. */
function silentStandby(session: ReadSession): StandbyLink {
  const shown = new Map<string, unknown[]>();
  const silent: ReadSession = {
    async run<Row>(...asked: Parameters<ReadSession['run']>): Promise<Row[]> {
      const key = JSON.stringify(asked);
      const rows = shown.get(key) ?? (await session.run(...asked));
      shown.set(key, rows);
      return structuredClone(rows) as Row[];
    },
  };
  const counts = { used: 0, late: 0, failed: 0 };
  return {
    name: 'postgres://standby',
    counts,
    state: () => ({ problem: null, lagMs: 0 }),
    become() {},
    async open() {},
    show: async () => true,
    hasReplayed: async () => true,
    stopReading() {},
    mayBeRead: () => true,
    async read(work) {
      counts.used += 1;
      return work(silent);
    },
    close() {},
  };
}

onPostgresFirst('a caller whose token was read from a standby', (engine) => {
  const environments = useTestEnvironments(engine);

  const newKeys = async (environment: Environment) =>
    createSigningKeys(
      await openSecretBox(environment, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' }),
    );

  it('is told to the upstream by no key that was withdrawn, though the standby shows it still', async () => {
    const { sandbox } = environments;
    const link = silentStandby(sandbox.session);
    const reader = createEnvironment({ ...sandbox, standbyLinks: [link] });
    const keys = await newKeys(reader);
    const { keyId: leaked } = await keys.signer(reader, 'ES256');
    const { access } = await createGrantedUser(sandbox);
    const verify = createTokenVerifier(reader, () => {});
    const identityOf = createIdentityTokens({ keys, audience: 'https://orders.example.com' });
    /** As each forwarded call does it. */
    async function kidForUpstream(): Promise<string | undefined> {
      const token = await verify(access.tokenValue, () => true);
      return decodeProtectedHeader(await identityOf(reader, token as ActiveToken)).kid;
    }

    expect([await kidForUpstream(), await kidForUpstream()]).toEqual([leaked, leaked]);
    // On another node, of which this one hears nothing but what is stored.
    const { id: fresh } = await (await newKeys(sandbox)).rotate(sandbox, {
      algorithm: 'ES256',
      actor: { type: 'operator', id: 'configured' },
      withdraw: true,
    });
    expect([await kidForUpstream(), await kidForUpstream()]).toEqual([fresh, fresh]);
    // None of this was asked of the primary instead.
    expect([link.counts.used, reader.standbys.counts]).toEqual([4, { unread: 0, confirmed: 0 }]);
  });
});
