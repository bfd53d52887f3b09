import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { type SigningAlgorithm, signingAlgorithms } from '../../src/oauth/types.ts';
import { statement } from '../../src/storage/statement.ts';
import { isFullMatrix, onPostgresFirst } from '../support/database/databases.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { useTestService } from '../support/service/test-service.ts';

const TABLES = { ES256: 'oauth_signing_keys', RS256: 'oauth_rsa_signing_keys' };
const MEMBERS = { ES256: ['crv', 'kty', 'x', 'y'], RS256: ['e', 'kty', 'n'] };
const AUDITED = statement(
  'audited_signing_keys',
  `select actor_type, actor_id, reason, details from {schema}.audit_log
   where action = 'signing_key.created' order by id desc limit 1`,
);

const MINUTE = 60;
const DAY = 86_400;

// An RSA key pair takes half a second to make: openid-since-2027-01.test.ts signs with one in every run.
for (const algorithm of isFullMatrix ? signingAlgorithms : (['ES256'] as const)) suiteOf(algorithm);

function suiteOf(algorithm: SigningAlgorithm): void {
  onPostgresFirst(`signing keys of ${algorithm}`, (engine) => {
    const STORED = statement(
      `stored_${algorithm}`,
      `select * from {schema}.${TABLES[algorithm]} order by id`,
    );
    const PREFER = statement(
      `prefer_${algorithm}`,
      `update {schema}.oauth_clients set id_token_algorithm = '${algorithm}'`,
    );
    const service = useTestService(engine);
    const { token } = oauthCalls(service);
    beforeEach(async () => {
      const database = await service.database('sandbox');
      await runAsAdmin(database, `delete from {schema}.${TABLES[algorithm]}`);
      await database.run(PREFER, []);
    });

    async function jwks(): Promise<JSONWebKeySet> {
      const response = await service.call('sandbox', '/.well-known/jwks.json');
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
      const { keys } = (await response.json()) as JSONWebKeySet;
      return { keys: keys.filter(({ alg }) => alg === algorithm) };
    }
    const published = async () => (await jwks()).keys.map(({ kid }) => kid);
    const run = async (query: typeof AUDITED) =>
      (await service.database('sandbox')).run<Record<string, unknown>>(query, []);
    const rotate = async (body = {}) =>
      (await (
        await service.operate('sandbox', '/operator/signing-keys/rotate', {
          method: 'POST',
          body: { algorithm, ...body },
        })
      ).json()) as { id: string; state: string; signs_from: string };
    async function idToken(): Promise<string> {
      const { code, codeVerifier } = await signInDemoUser(service);
      const form = { code, code_verifier: codeVerifier, redirect_uri: REDIRECT_URI };
      return (await token({ grant_type: 'authorization_code', ...form })).body.id_token;
    }
    const signedWith = async () => {
      const { alg, kid } = decodeProtectedHeader(await idToken());
      expect(alg).toBe(algorithm);
      return kid;
    };
    const isValid = (jwt: string, keys: JSONWebKeySet): Promise<boolean> =>
      jwtVerify(jwt, createLocalJWKSet(keys), { currentDate: service.clock.now() }).then(
        () => true,
        () => false,
      );

    it('are created once, however many requests need the first one at the same time', async () => {
      const seen = await Promise.all([
        ...Array.from({ length: 12 }, published),
        ...[signedWith(), signedWith()],
      ]);
      expect(new Set(seen.flat()).size).toBe(1);
      expect(await run(STORED)).toHaveLength(1);
    });

    it('are published without their private half, which is stored sealed only', async () => {
      const { keys } = await jwks();
      expect(keys.map((key) => Object.keys(key).sort())).toEqual([
        ['alg', 'kid', 'use', ...MEMBERS[algorithm]].sort(),
      ]);
      expect(keys[0]).toMatchObject(
        algorithm === 'ES256'
          ? { kty: 'EC', crv: 'P-256', use: 'sig' }
          : { kty: 'RSA', e: 'AQAB', use: 'sig' },
      );
      if (algorithm === 'RS256')
        expect(Buffer.from(keys[0]?.n ?? '', 'base64url').length).toBeGreaterThanOrEqual(2_048 / 8);
      const [stored] = await run(STORED);
      expect(Object.keys(stored?.public_jwk as object)).not.toContain('d');
      const sealed = Buffer.from(stored?.sealed_private_jwk as Uint8Array);
      expect(sealed.includes('"d"')).toBe(false);
      expect(sealed.includes('kty')).toBe(false);
    });

    it('are published before they sign, and until everything they signed has expired', async () => {
      const [first] = await published();
      const next = await rotate();
      expect(next.state).toBe('upcoming');
      expect(await published()).toEqual([first, next.id]);
      service.clock.advanceSeconds(15 * MINUTE - 1);
      expect(await signedWith()).toBe(first);
      service.clock.advanceSeconds(1);
      expect(await signedWith()).toBe(next.id);
      service.clock.advanceSeconds(60 * MINUTE);
      expect(await published()).toEqual([first, next.id]);
      service.clock.advanceSeconds(5 * MINUTE);
      expect(await published()).toEqual([next.id]);
      expect((await run(STORED)).map(({ id }) => id)).toEqual([next.id]);
    });

    it('serve a client that fetches them every five minutes: it can verify every id_token until it expires', async () => {
      const held: { jwt: string; untilMs: number }[] = [];
      let known = await jwks();
      for (let minute = 0; minute < 150; minute += 5) {
        if (minute === 20) await rotate();
        // Just before the next fetch, when its copy is oldest.
        held.push({ jwt: await idToken(), untilMs: service.clock.now().getTime() + 3_600_000 });
        for (const { jwt, untilMs } of held)
          expect(await isValid(jwt, known), `minute ${minute}`).toBe(service.clock.now().getTime() < untilMs);
        known = await jwks();
        service.clock.advanceSeconds(5 * MINUTE);
      }
      expect(new Set(held.map(({ jwt }) => decodeProtectedHeader(jwt).kid)).size).toBe(2);
    });

    it('are rotated by themselves after 90 days, and the audit log says why', async () => {
      const first = await signedWith();
      service.clock.advanceSeconds(90 * DAY - 1);
      expect(await published()).toEqual([first]);
      service.clock.advanceSeconds(1);
      expect(await signedWith()).toBe(first);
      const [, second] = await published();
      expect(await run(AUDITED)).toMatchObject([
        { actor_type: 'system', reason: 'the signing key was old', details: { signing_key_id: second } },
      ]);
      service.clock.advanceSeconds(15 * MINUTE);
      expect(await signedWith()).toBe(second);
    });

    it('are rotated once by an operator who asks twice, and the audit log says by whom', async () => {
      await published();
      service.clock.advanceSeconds(1);
      const [one, again] = [await rotate(), await rotate()];
      expect(again).toEqual(one);
      expect(await run(AUDITED)).toMatchObject([
        {
          actor_type: 'operator',
          actor_id: expect.stringMatching(/^opk_/),
          reason: 'rotated on request',
          details: { signing_key_id: one.id, signs_from: one.signs_from },
        },
      ]);
    });

    it('are withdrawn at once when they may be compromised: what they signed is rejected', async () => {
      const before = await idToken();
      await rotate();
      const fresh = await rotate({ withdraw: true });
      expect(fresh.state).toBe('signing');
      expect(await published()).toEqual([fresh.id]);
      expect(await signedWith()).toBe(fresh.id);
      expect([await isValid(before, await jwks()), await isValid(await idToken(), await jwks())]).toEqual([
        false,
        true,
      ]);
      expect((await run(STORED)).map(({ id }) => id)).toEqual([fresh.id]);
    });

    const listed = async () => {
      const text = await (await service.operate('sandbox', '/operator/signing-keys')).text();
      const { items } = JSON.parse(text) as { items: { state: string; algorithm: string }[] };
      return items.filter((item) => item.algorithm === algorithm);
    };

    it('are listed for operators with their purpose, without anything secret', async () => {
      await published();
      await rotate();
      const items = await listed();
      expect(items.map(({ state }) => state)).toEqual(['signing', 'upcoming']);
      expect(items.map((item) => Object.keys(item))).toEqual(
        Array.from({ length: 2 }, () => ['id', 'algorithm', 'state', 'created_at', 'signs_from']),
      );
      service.clock.advanceSeconds(15 * MINUTE);
      expect((await listed()).map(({ state }) => state)).toEqual(['former', 'signing']);
    });

    it('are rotated and withdrawn without touching those of the other algorithm', async () => {
      const others = async () => {
        const { keys } = (await (
          await service.call('sandbox', '/.well-known/jwks.json')
        ).json()) as JSONWebKeySet;
        return keys.filter(({ alg }) => alg !== algorithm);
      };
      const before = await others();
      expect(before.length).toBeGreaterThan(0);
      await rotate();
      await rotate({ withdraw: true });
      expect(await others()).toEqual(before);
    });
  });
}
