import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Environment, EnvironmentName } from '../../src/environments/environment.ts';
import { createSigningKeys, type Signer, type SigningKeys } from '../../src/oauth/signing/signing-keys.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../src/oauth/types.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { createIdentityTokens } from '../../src/upstream/identity-token.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { maintained } from '../support/service/build-versions.ts';
import { createCaller, serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

const SECRET_KEY = Buffer.alloc(32, 5);
const AUDIENCE = 'https://orders.example.com';
const actor = { type: 'operator', id: 'configured' } as const;

onPostgresFirst('the token that tells an upstream who asks', (engine) => {
  const service = useTestService(engine, { DATELINE_SECRET_KEY: SECRET_KEY.toString('base64') });
  const { introspect, send } = oauthCalls(service);

  interface Side {
    environment: Environment;
    keys: SigningKeys;
    token: ActiveToken;
    tokenValue: string;
    /** As each call does it: with the names of the keys that are stored now. */
    verify(): Promise<ActiveToken>;
  }
  const sides: Partial<Record<EnvironmentName, Side>> = {};

  /** The signing keys of the running service, and a live token of its database. */
  async function openSide(name: EnvironmentName): Promise<Side> {
    const environment = await serviceEnvironment(service, name);
    const box = await openSecretBox(environment, { configured: [SECRET_KEY], path: '/nowhere' });
    const { access } = await createGrantedUser(environment);
    const verify = createTokenVerifier(environment, () => {});
    const verified = async (): Promise<ActiveToken> => {
      const token = await verify(access.tokenValue);
      if (!token.active) throw new Error('the token is dead');
      return token;
    };
    const { tokenValue } = access;
    return {
      ...{ environment, tokenValue, keys: createSigningKeys(box) },
      ...{ token: await verified(), verify: verified },
    };
  }
  beforeAll(async () => {
    sides.production = await openSide('production');
    sides.sandbox = await openSide('sandbox');
  });
  const side = (name: EnvironmentName = 'sandbox'): Side => sides[name] as Side;
  const create = (keys = side().keys, heldMax = 100) => {
    const sign = createIdentityTokens({ keys, audience: AUDIENCE, heldMax });
    return async (change: Partial<ActiveToken> = {}) =>
      sign(side().environment, { ...(await side().verify()), ...change });
  };
  /** With a count of how often it is asked which key signs. */
  function countReads() {
    const { keys } = side();
    const counted = {
      ...keys,
      reads: 0,
      signer(...args: Parameters<SigningKeys['signer']>) {
        counted.reads += 1;
        return keys.signer(...args);
      },
    };
    return counted;
  }
  let sign: ReturnType<typeof create>;
  beforeEach(() => {
    sign = create();
  });

  const jwks = async (name: EnvironmentName) =>
    (await (await service.call(name, '/.well-known/jwks.json')).json()) as JSONWebKeySet;
  /** As the upstream does it: with the published keys of one environment, for its own audience. */
  const verify = async (jwt: string, name: EnvironmentName = 'sandbox', audience = AUDIENCE) =>
    jwtVerify(jwt, createLocalJWKSet(await jwks(name)), {
      audience,
      issuer: service.urls[name],
      typ: 'at+jwt',
      algorithms: ['ES256'],
      currentDate: service.clock.now(),
    });

  it('verifies with the published keys, and holds who asks and for how long it is valid', async () => {
    const { token, tokenValue, keys, environment } = side();
    const jwt = await sign();
    const now = Math.floor(service.clock.now().getTime() / 1000);
    expect((await verify(jwt)).payload).toEqual({
      iss: service.urls.sandbox,
      aud: AUDIENCE,
      sub: token.subject.id,
      sub_type: 'user',
      client_id: token.clientId,
      scope: token.scopes.join(' '),
      organizations: token.organizationIds,
      jti: expect.stringMatching(/^itk_/),
      iat: now,
      exp: now + 60,
    });
    const { keyId } = await keys.signer(environment, 'ES256');
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: keyId });
    expect(jwt).not.toContain(tokenValue);
  });

  it('is refused for another audience, in the other environment, and after a minute', async () => {
    const jwt = await sign();
    await expect(verify(jwt, 'sandbox', 'https://other.example.com')).rejects.toThrow('unexpected "aud"');
    await expect(verify(jwt, 'production')).rejects.toThrow('no applicable key found');
    const { environment, token, keys } = side('production');
    const other = await createIdentityTokens({ keys, audience: AUDIENCE })(environment, token);
    expect((await verify(other, 'production')).payload.iss).toBe(service.urls.production);
    await expect(verify(other, 'sandbox')).rejects.toThrow('no applicable key found');
    service.clock.advanceSeconds(60);
    await expect(verify(jwt)).rejects.toThrow('"exp" claim timestamp check failed');
  });

  it.each(maintained)('is no bearer token of our own API, and not active, in %s', async (version) => {
    const jwt = await sign();
    const headers = { authorization: `Bearer ${jwt}`, 'service-version': version };
    for (const path of ['/v1/organizations/', '/v1/oauth2/userinfo'])
      expect([path, (await send(path, { headers })).status]).toEqual([path, 401]);
    const { credentials } = await createCaller(service);
    expect((await introspect({ token: jwt })).body).toEqual({ active: false });
    expect((await introspect({ ...credentials, token: jwt })).body).toEqual({ active: false });
    expect((await service.call('sandbox', '/operator/clients', { headers })).status).toBe(401);
  });

  it('is used again for the same claims, for half a minute', async () => {
    const jwt = await sign();
    service.clock.advanceSeconds(29.9);
    expect(await sign()).toBe(jwt);
    // Another token of the same client, user and scopes makes no difference.
    expect(await sign({ tokenId: 'tok_other' as ActiveToken['tokenId'] })).toBe(jwt);
    service.clock.advanceSeconds(0.1);
    const next = await sign();
    expect(next).not.toBe(jwt);
    expect(decodeJwt(next).jti).not.toBe(decodeJwt(jwt).jti);
    service.clock.advanceSeconds(-60);
    expect(await sign()).not.toBe(next);
    service.clock.advanceSeconds(60);
  });

  it('is signed anew for any other claim', async () => {
    const { token } = side();
    const changes: Partial<ActiveToken>[] = [
      {},
      { subject: { type: 'user', id: 'usr_other' as never } },
      { subject: { type: 'organization', id: token.subject.id as never } },
      { clientId: 'cli_other' as never },
      { scopes: token.scopes.slice(1) },
      { organizationIds: [] },
      { organizationIds: [...token.organizationIds, 'org_other' as never] },
    ];
    const signed: string[] = [];
    for (const change of changes) signed.push(await sign(change));
    expect(new Set(signed).size).toBe(changes.length);
    expect(decodeJwt(signed[4] as string).scope).toBe(token.scopes.slice(1).join(' '));
    expect(await sign()).toBe(signed[0]);
  });

  it('is never shared by environments, also where their keys and claims would be the same', async () => {
    const { environment, keys, token } = side();
    const signBoth = createIdentityTokens({ keys, audience: AUDIENCE });
    const jwt = await signBoth(environment, token);
    expect(await signBoth({ ...environment, name: 'production' }, token)).not.toBe(jwt);
    expect(await signBoth({ ...environment, issuer: 'https://other.test' }, token)).not.toBe(jwt);
  });

  it('is signed anew once its key was rotated, and at once where that was withdrawn', async () => {
    const { keys, environment } = side();
    const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid;
    const rotation = { algorithm: 'ES256', actor, withdraw: false } as const;
    const { id: rotated, signsFrom } = await keys.rotate(environment, rotation);
    service.clock.set(new Date(signsFrom.getTime() - 1_000));
    const before = await sign();
    expect(kidOf(before)).not.toBe(rotated);
    service.clock.advanceSeconds(1);
    const after = await sign();
    expect(kidOf(after)).toBe(rotated);
    await verify(before);
    await verify(after);
    // On another node, of which this one hears nothing but what is stored.
    const { id: fresh } = await createSigningKeys(
      await openSecretBox(environment, { configured: [SECRET_KEY], path: '/nowhere' }),
    ).rotate(environment, { ...rotation, withdraw: true });
    const anew = await sign();
    expect(kidOf(anew)).toBe(fresh);
    await verify(anew);
    await expect(verify(after)).rejects.toThrow('no applicable key found');
  });

  it('is signed once for calls at the same moment, which read the key once', async () => {
    const keys = countReads();
    const signed = await Promise.all(Array.from({ length: 50 }, create(keys).bind(null, {})));
    expect([new Set(signed).size, keys.reads]).toEqual([1, 1]);
  });

  it('is used again without a look at the keys, while the token was read together with the same ones', async () => {
    const keys = countReads();
    const { environment } = side();
    const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid;
    const again = create(keys);
    const first = await again();
    expect([await again(), keys.reads]).toEqual([first, 1]);
    const { id: next, signsFrom } = await keys.rotate(environment, {
      ...{ algorithm: 'ES256', actor, withdraw: false },
    });
    expect([kidOf(await again()), keys.reads]).toEqual([kidOf(first), 2]);
    service.clock.set(new Date(signsFrom.getTime() - 1_000));
    expect([kidOf(await again()), kidOf(await again()), keys.reads]).toEqual([kidOf(first), kidOf(first), 3]);
    // The same keys are stored as before, and another of them signs from now on.
    service.clock.set(signsFrom);
    expect([kidOf(await again()), keys.reads]).toEqual([next, 4]);
  });

  it('is looked for every time where a standby was asked for the token, which may not know of a key that was withdrawn', async () => {
    const keys = countReads();
    const { environment, token } = side();
    const { signingKeys: _, ...fromStandby } = token;
    const signAgain = createIdentityTokens({ keys, audience: AUDIENCE });
    const first = await signAgain(environment, fromStandby);
    expect([await signAgain(environment, fromStandby), keys.reads]).toEqual([first, 2]);
  });

  it('is held no longer than there is room', async () => {
    const small = create(side().keys, 2);
    const [one, two] = [await small({ scopes: [] }), await small({ organizationIds: [] })];
    await small();
    expect(await small({ organizationIds: [] })).toBe(two);
    expect(await small({ scopes: [] })).not.toBe(one);
  });

  it('is tried again where it could not be signed', async () => {
    const { keys } = side();
    const wrong = await generateKeyPair('ES384');
    const found: (Partial<Signer> | Error)[] = [new Error('no key'), { privateKey: wrong.privateKey }];
    const failing = create({
      ...keys,
      async signer(...args) {
        const problem = found.shift();
        if (problem instanceof Error) throw problem;
        return { ...(await keys.signer(...args)), ...problem };
      },
    });
    await expect(failing()).rejects.toThrow('no key');
    await expect(failing()).rejects.toThrow();
    await verify(await failing());
  });
});
