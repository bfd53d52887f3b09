import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/databases.ts';
import { oauthCalls } from '../support/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/sign-in.ts';
import { useTestService } from '../support/test-service.ts';

const FORGET = statement('forget_signing_keys', 'delete from {schema}.oauth_signing_keys');
const STORED = statement('stored_signing_keys', 'select * from {schema}.oauth_signing_keys order by id');
const AUDITED = statement(
  'audited_signing_keys',
  `select actor_type, actor_id, reason, details from {schema}.audit_log
   where action = 'signing_key.created' order by id desc limit 1`,
);

const MINUTE = 60;
const DAY = 86_400;

onPostgresFirst('signing keys', (engine) => {
  const service = useTestService(engine);
  const { token } = oauthCalls(service);
  beforeEach(async () => {
    await (await service.database('sandbox')).run(FORGET, []);
  });

  async function jwks(): Promise<JSONWebKeySet> {
    const response = await service.call('sandbox', '/.well-known/jwks.json');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    return (await response.json()) as JSONWebKeySet;
  }
  const published = async () => (await jwks()).keys.map(({ kid }) => kid);
  const run = async (query: typeof STORED) =>
    (await service.database('sandbox')).run<Record<string, unknown>>(query, []);
  const rotate = async (body = {}) =>
    (await (
      await service.operate('sandbox', '/operator/signing-keys/rotate', { method: 'POST', body })
    ).json()) as { id: string; state: string; signs_from: string };
  async function idToken(): Promise<string> {
    const { code, codeVerifier } = await signInDemoUser(service);
    const form = { code, code_verifier: codeVerifier, redirect_uri: REDIRECT_URI };
    return (await token({ grant_type: 'authorization_code', ...form })).body.id_token;
  }
  const signedWith = async () => decodeProtectedHeader(await idToken()).kid;
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
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ]);
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
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

  it('are listed for operators with their purpose, without anything secret', async () => {
    await published();
    await rotate();
    const text = await (await service.operate('sandbox', '/operator/signing-keys')).text();
    const { items } = JSON.parse(text) as { items: { state: string }[] };
    expect(items.map(({ state }) => state)).toEqual(['signing', 'upcoming']);
    expect(items.map((item) => Object.keys(item))).toEqual(
      Array.from({ length: 2 }, () => ['id', 'algorithm', 'state', 'created_at', 'signs_from']),
    );
    service.clock.advanceSeconds(15 * MINUTE);
    const later = (await (await service.operate('sandbox', '/operator/signing-keys')).json()) as {
      items: { state: string }[];
    };
    expect(later.items.map(({ state }) => state)).toEqual(['former', 'signing']);
  });
});
