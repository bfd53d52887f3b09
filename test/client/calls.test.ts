import { describe, expect, it, vi } from 'vitest';
import * as library from '../../client/src/index.ts';
import {
  ApiError,
  CallTimeoutError,
  ConnectionError,
  InvalidClientError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
  UsageError,
  ValidationFailedError,
} from '../../client/src/index.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { newProduct } from '../support/contracts/products.ts';
import { anyEngine } from '../support/database/databases.ts';
import { startScriptedApi } from '../support/http/scripted-api.ts';
import { type AnyClient, importClient } from '../support/oauth/clients.ts';
import { maintained, next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const { Dateline } = await importClient(next);
const emptyPage = { items: [], pagination: { next_cursor: null } };
const credentials = { clientId: 'cli_1', clientSecret: 'secret' };
const tokenAnswer = (token: string, seconds = 3600) => ({
  body: { access_token: token, expires_in: seconds },
});
const isTokenCall = ({ path }: { path: string }) => path === '/v1/oauth2/token';
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );

describe('calls to a running service', () => {
  const service = useTestService(anyEngine);
  const connect = (version = next, options: object = {}): Promise<AnyClient> =>
    importClient(version).then((module) => {
      const { client_id: clientId, client_secret: clientSecret } = service.quickstart.sandbox;
      return new module.Dateline({ baseUrl: service.urls.sandbox, clientId, clientSecret, ...options });
    });

  it('fetch a token by themselves, create, read, change and list', async () => {
    const client = await connect();
    const made = await client.products.create(newProduct);
    expect(await client.products.get(made.id)).toEqual(made);
    const changed = await client.products.update(made.id, { name: 'Changed' });
    expect(changed.name).toBe('Changed');
    const { items } = await client.products.list({ limit: 100 });
    expect(items).toContainEqual(changed);
    expect(await client.products.delete(made.id)).toBeUndefined();
  });

  it.each(maintained)('iterate over all pages in %s', async (version) => {
    const made = await connect();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await made.products.create(newProduct)).id);
    const client = await connect(version);
    const seen: string[] = [];
    for await (const { id } of client.products.list({ limit: 2 })) seen.push(id);
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(new Set(seen).size).toBe(seen.length);
    const sizes: number[] = [];
    for await (const page of client.products.list({ limit: 2 }).pages()) sizes.push(page.items.length);
    expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(seen.length);
  });

  it.each(maintained)('introspect and revoke as the client in %s', async (version) => {
    const client = await connect(version);
    const { access_token: token } = await client.oauth.token({ grant_type: 'client_credentials' });
    expect(await client.oauth.introspect({ token })).toMatchObject({
      active: true,
      token_type: 'access_token',
    });
    expect(await client.oauth.revoke({ token })).toEqual({});
    expect(await client.oauth.introspect({ token })).toEqual({ active: false });
  });

  it('manage webhook endpoints and registered clients', async () => {
    const client = await connect();
    const endpoint = await client.webhooks.endpoints.create({
      url: 'http://localhost:9/hook',
      events: ['*'],
    });
    expect(endpoint.secret).toMatch(/^whsec_/);
    const rotated = await client.webhooks.endpoints.rotateSecret(endpoint.id);
    expect(rotated.secret).not.toBe(endpoint.secret);
    await client.webhooks.endpoints.delete(endpoint.id);
    const registered = await client.oauth.clients.register({ grant_types: ['client_credentials'] });
    const withToken = { accessToken: registered.registration_access_token };
    expect(await client.oauth.clients.get(registered.client_id, withToken)).toMatchObject({
      client_id: registered.client_id,
    });
    await client.oauth.clients.delete(registered.client_id, withToken);
  });

  it('create once, however often a call with the same key is made', async () => {
    const client = await connect();
    const options = { idempotencyKey: 'once' };
    const [one, other] = [
      await client.products.create(newProduct, options),
      await client.products.create(newProduct, options),
    ];
    expect(other.id).toBe(one.id);
    expect((await client.products.create(newProduct)).id).not.toBe(one.id);
  });

  it.each(maintained)('throw an error class for each error code, in %s', async (version) => {
    const client = await connect(version);
    const missing = await caught(client.products.get('prd_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ name: 'NotFoundError', code: 'not_found', status: 404 });
    expect((missing as ApiError).requestId).toMatch(/./);
    expect((missing as ApiError).body).toMatchObject({ detail: (missing as ApiError).message });
    expect(await caught(client.products.create({ name: '' }))).toBeInstanceOf(ValidationFailedError);
    const stranger = await connect(version, { clientSecret: 'wrong' });
    expect(await caught(stranger.oauth.introspect({ token: 'x' }))).toBeInstanceOf(InvalidClientError);
    expect(await caught(stranger.products.list())).toBeInstanceOf(InvalidClientError);
    const nobody = await connect(version, { accessToken: 'not a token' });
    expect(await caught(nobody.products.list())).toBeInstanceOf(UnauthorizedError);
  });

  it('fetch another token when theirs was revoked early', async () => {
    const client = await connect();
    const used: (string | null)[] = [];
    const spying = await connect(next, {
      fetch: (url: string, init: RequestInit) => {
        used.push(new Headers(init.headers).get('authorization'));
        return fetch(url, init);
      },
    });
    await spying.products.list();
    await client.oauth.revoke({ token: used.at(-1)?.replace('Bearer ', '') });
    expect((await spying.products.list()).items).toBeInstanceOf(Array);
    expect(new Set(used.filter(Boolean)).size).toBe(2);
  });
});

describe('a client', () => {
  it.each([
    [{}],
    [{ baseUrl: 'http://localhost', environment: 'sandbox' as const }],
    [{ baseUrl: 'localhost:4000' }],
    [{ environment: 'constructor' as 'sandbox' }],
  ])('refuses missing or contradictory options: %j', (options) => {
    expect(() => new Dateline(options)).toThrow(UsageError);
  });

  it('refuses a call whose credentials are missing', async () => {
    const client = new Dateline({ environment: 'sandbox' });
    expect(await caught(client.products.list())).toBeInstanceOf(UsageError);
    expect(await caught(client.oauth.introspect({ token: 'x' }))).toBeInstanceOf(UsageError);
    expect(await caught(client.oauth.clients.get('cli_1'))).toBeInstanceOf(UsageError);
  });

  it.each(['', '.', '..', undefined])('refuses %j as an id in a path', async (id) => {
    const { baseUrl, calls } = await startScriptedApi(() => ({}));
    const client = new Dateline({ baseUrl, accessToken: 'token' });
    expect(await caught(client.products.get(id))).toBeInstanceOf(UsageError);
    expect(calls).toEqual([]);
    await client.products.get('a/../b?c#d');
    expect(calls.map(({ path }) => path)).toEqual(['/v1/products/a%2F..%2Fb%3Fc%23d']);
  });

  it('prints no secret', async () => {
    const { inspect } = await import('node:util');
    const client = new Dateline({ baseUrl: 'http://localhost', accessToken: 'at-secret', ...credentials });
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain('secret');
  });

  it('has an error class for every error code', () => {
    const classes = new Map(Object.entries(library));
    const nameOf = (code: string) =>
      `${code.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Error`;
    const missing = Object.keys(catalogue).filter((code) => !classes.has(nameOf(code)));
    expect(missing).toEqual([]);
  });

  it('is not part of the bare import, which has no version', () => {
    expect(Object.keys(library).filter((name) => !name.endsWith('Error'))).toEqual([]);
  });
});

describe('tokens', () => {
  it('are fetched once for all calls that wait for one', async () => {
    const { baseUrl, calls } = await startScriptedApi((call) =>
      isTokenCall(call) ? tokenAnswer('one') : { body: emptyPage },
    );
    const client = new Dateline({ baseUrl, scope: 'products:read', ...credentials });
    await Promise.all(Array.from({ length: 20 }, () => client.products.list()));
    expect(calls.filter(isTokenCall).map(({ body }) => body)).toEqual([
      'grant_type=client_credentials&scope=products%3Aread&client_id=cli_1&client_secret=secret',
    ]);
    expect(calls.filter(({ headers }) => headers.authorization === 'Bearer one')).toHaveLength(20);
  });

  it('are fetched again when they expire', async () => {
    const { baseUrl, calls } = await startScriptedApi((call, index) =>
      isTokenCall(call) ? tokenAnswer(`token${index}`, 0) : { body: emptyPage },
    );
    const client = new Dateline({ baseUrl, ...credentials });
    await client.products.list();
    await client.products.list();
    expect(calls.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer token0',
      undefined,
      'Bearer token2',
    ]);
  });

  it('that cannot be fetched fail all waiting calls, and the next call tries again', async () => {
    let isDown = true;
    const { baseUrl } = await startScriptedApi((call) => {
      if (!isTokenCall(call)) return { body: emptyPage };
      return isDown ? { status: 401, body: { error: 'invalid_client' } } : tokenAnswer('one');
    });
    const client = new Dateline({ baseUrl, ...credentials });
    const failures = await Promise.all([caught(client.products.list()), caught(client.products.list())]);
    expect(failures.every((error) => error instanceof InvalidClientError)).toBe(true);
    isDown = false;
    expect(await client.products.list()).toEqual(emptyPage);
  });

  it('are still fetched for the other calls when one waiting call is aborted', async () => {
    const { baseUrl } = await startScriptedApi((call) =>
      isTokenCall(call) ? tokenAnswer('one') : { body: emptyPage },
    );
    const client = new Dateline({ baseUrl, ...credentials });
    const controller = new AbortController();
    const givenUp = caught(client.products.list({}, { signal: controller.signal }));
    const patient = client.products.list();
    controller.abort(new Error('no time'));
    expect(await givenUp).toMatchObject({ message: 'no time' });
    expect(await patient).toEqual(emptyPage);
  });

  it('are not awaited by an aborted call, and a later failure is not an unhandled rejection', async () => {
    const unheard: unknown[] = [];
    const note = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', note);
    const client = new Dateline({ baseUrl: 'http://127.0.0.1:1', retries: 0, ...credentials });
    const signal = AbortSignal.abort(new Error('given up'));
    expect(await caught(client.products.list({}, { signal }))).toMatchObject({ message: 'given up' });
    // Another call fails the same way, later: the effect of the first is known by then.
    expect(await caught(client.products.list())).toBeInstanceOf(Error);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unheard).toEqual([]);
  });

  it('are awaited no longer than the call’s timeout or its signal allows', async () => {
    const { baseUrl } = await startScriptedApi(() => ({ silent: true }));
    const own = new Dateline({ baseUrl, accessToken: () => new Promise<string>(() => {}) });
    const got = new Dateline({ baseUrl, ...credentials });
    for (const client of [own, got]) {
      expect(await caught(client.products.list({}, { timeoutMs: 50 }))).toBeInstanceOf(CallTimeoutError);
      const controller = new AbortController();
      const call = caught(client.products.list({}, { signal: controller.signal }));
      controller.abort(new Error('given up'));
      expect(await call).toMatchObject({ message: 'given up' });
    }
  });

  it('are requested at each call where a function supplies them', async () => {
    const { baseUrl, calls } = await startScriptedApi(() => ({ body: emptyPage }));
    let count = 0;
    const client = new Dateline({
      baseUrl,
      accessToken: async () => {
        count += 1;
        return `token${count}`;
      },
    });
    await client.products.list();
    await client.products.list({}, { accessToken: 'another' });
    await client.products.list();
    expect(calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token1',
      'Bearer another',
      'Bearer token2',
    ]);
  });
});

describe('retrying', () => {
  const busy = { status: 503, headers: { 'retry-after': '0' }, body: { code: 'draining', detail: 'Later.' } };
  const connectTo = (baseUrl: string, options: object = {}) =>
    new Dateline({ baseUrl, accessToken: 'token', ...credentials, ...options });

  it.each([429, 503])('happens after %i for calls that may be repeated', async (status) => {
    const { baseUrl, calls } = await startScriptedApi((_call, index) =>
      index % 2 === 0 ? { ...busy, status } : { body: emptyPage },
    );
    const client = connectTo(baseUrl);
    await client.products.list();
    await client.oauth.introspect({ token: 'x' });
    await client.oauth.revoke({ token: 'x' });
    await client.products.create(newProduct);
    expect(calls).toHaveLength(8);
    const keys = calls.slice(-2).map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('keeps its Idempotency-Key when a token has expired meanwhile, also one given as a header', async () => {
    let tokens = 0;
    const { baseUrl, calls } = await startScriptedApi((call) => {
      if (isTokenCall(call)) {
        tokens += 1;
        return tokenAnswer(`token${tokens}`);
      }
      const created = calls.filter(({ path }) => path === '/v1/products/').length;
      if (created === 1) return busy;
      return created === 2 ? { status: 401, body: { error: 'unauthorized' } } : { status: 201, body: {} };
    });
    const client = new Dateline({ baseUrl, ...credentials });
    await client.products.create(newProduct);
    const keysSent = () =>
      calls.filter(({ path }) => path === '/v1/products/').map(({ headers }) => headers['idempotency-key']);
    expect(tokens).toBe(2);
    expect(keysSent()).toHaveLength(3);
    expect(new Set(keysSent()).size).toBe(1);
    await client.products.create(newProduct, { headers: { 'Idempotency-Key': 'order-42' } });
    expect(keysSent().at(-1)).toBe('order-42');
  });

  it('does not happen for calls that may not be repeated', async () => {
    const { baseUrl, calls } = await startScriptedApi(() => busy);
    const error = await caught(connectTo(baseUrl).products.update('prd_1', { name: 'Name' }));
    expect(error).toMatchObject({ status: 503, code: 'draining', retryAfterMs: 0 });
    expect(calls).toHaveLength(1);
  });

  it('does not happen after other errors, nor more often than configured', async () => {
    const { baseUrl, calls } = await startScriptedApi(({ path }) =>
      path.includes('orga') ? { status: 500, body: {} } : busy,
    );
    const client = connectTo(baseUrl, { retries: 3 });
    expect(await caught(client.organizations.list())).toMatchObject({ status: 500 });
    expect(await caught(client.products.list())).toMatchObject({ status: 503 });
    expect(await caught(client.products.list({}, { retries: 0 }))).toBeInstanceOf(ApiError);
    expect(calls.map(({ path }) => path)).toEqual(['/v1/organizations/', ...Array(5).fill('/v1/products/')]);
  });

  it('waits as long as Retry-After says, and fails with it where that is too long', async () => {
    const { baseUrl, calls } = await startScriptedApi(({ path }, index) => {
      if (path.startsWith('/v1/oauth2')) return { status: 429, headers: { 'retry-after': '3600' }, body: {} };
      return index === 0 ? { ...busy, headers: { 'retry-after': '1' } } : { body: emptyPage };
    });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await connectTo(baseUrl).products.list();
    const waits = timers.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms >= 1_000 && ms <= 1_250);
    expect(waits).toHaveLength(1);
    const error = await caught(connectTo(baseUrl).oauth.introspect({ token: 'x' }));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(calls).toHaveLength(3);
  });

  it('happens after a broken connection', async () => {
    let isBroken = true;
    const { baseUrl } = await startScriptedApi(() => ({ body: emptyPage }));
    const client = connectTo(baseUrl, {
      fetch: (url: string, init: RequestInit) => {
        const target = isBroken ? 'http://127.0.0.1:1/' : url;
        isBroken = false;
        return fetch(target, init);
      },
    });
    expect(await client.products.list()).toEqual(emptyPage);
    isBroken = true;
    expect(await caught(client.products.update('prd_1', {}))).toBeInstanceOf(ConnectionError);
  });

  it('ends with a timeout error where no answer comes in time', async () => {
    const { baseUrl, calls } = await startScriptedApi(() => ({ silent: true }));
    const client = connectTo(baseUrl, { timeoutMs: 50, retries: 1 });
    expect(await caught(client.products.list())).toBeInstanceOf(CallTimeoutError);
    expect(calls).toHaveLength(2);
  });

  it('ends at once when the caller aborts, whether it waits for an answer or for the next attempt', async () => {
    const { baseUrl, calls } = await startScriptedApi(({ path }) =>
      path.includes('orga') ? { silent: true } : { ...busy, headers: { 'retry-after': '60' } },
    );
    const client = connectTo(baseUrl);
    for (const list of [client.organizations.list, client.products.list]) {
      const controller = new AbortController();
      const before = calls.length;
      const call = caught(list({}, { signal: controller.signal }));
      await expect.poll(() => calls.length).toBe(before + 1);
      controller.abort(new Error('given up'));
      expect(await call).toMatchObject({ message: 'given up' });
    }
    expect(calls).toHaveLength(2);
    const aborted = AbortSignal.abort(new Error('given up'));
    expect(await caught(client.products.list({}, { signal: aborted }))).toMatchObject({
      message: 'given up',
    });
    expect(calls).toHaveLength(2);
  });

  it('sends no secret to the target of a redirect', async () => {
    const elsewhere = await startScriptedApi(() => ({ body: emptyPage }));
    const { baseUrl } = await startScriptedApi(() => ({
      status: 307,
      headers: { location: `${elsewhere.baseUrl}/v1/oauth2/introspect` },
    }));
    const error = await caught(connectTo(baseUrl, { retries: 0 }).oauth.introspect({ token: 'x' }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(elsewhere.calls).toEqual([]);
  });

  it('throws the class of the throttle’s error', async () => {
    const { baseUrl } = await startScriptedApi(() => ({
      status: 429,
      body: { error: 'too_many_requests', error_description: 'Wait.' },
    }));
    const error = await caught(connectTo(baseUrl, { retries: 0 }).oauth.introspect({ token: 'x' }));
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ message: 'Wait.', status: 429 });
  });
});
