import { describe, expect, it, vi } from 'vitest';
import { defineClient } from '../../client/src/core/define-client.ts';
import {
  UsageError,
  VersionMismatchError,
  VersionNotFoundError,
  VersionRemovedError,
} from '../../client/src/index.ts';
import { anyEngine } from '../support/database/databases.ts';
import { startScriptedApi } from '../support/http/scripted-api.ts';
import { type AnyClient, importClient, importWebhooks, methodsOf } from '../support/oauth/clients.ts';
import {
  afterNext,
  current,
  deprecated,
  gone,
  maintained,
  next,
  releaseAt,
  removed,
} from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const emptyPage = { items: [], pagination: { next_cursor: null, page: 1, max_page: 1 } };
const credentials = { clientId: 'cli_1', clientSecret: 'secret' };

describe('the version of a client', () => {
  it.each(maintained)('[versions 93] %s is sent with every call there is', async (version) => {
    const { baseUrl, calls } = await startScriptedApi(() => ({ body: emptyPage }));
    const { Dateline } = await importClient(version);
    const client = new Dateline({ baseUrl, accessToken: 'token', ...credentials });
    const methods = methodsOf(client);
    const said = { accessToken: 'token' };
    for (const method of methods.values()) await method('id', said, said);
    expect(calls).toHaveLength(methods.size);
    expect(new Set(calls.map(({ headers }) => headers['service-version']))).toEqual(new Set([version]));
    expect([client.apiVersion, Dateline.apiVersion]).toEqual([version, version]);
  });

  it('[versions 93] is sent when the client fetches its own token', async () => {
    const { baseUrl, calls } = await startScriptedApi(({ path }) => ({
      body: path.startsWith('/v1/oauth2/token') ? { access_token: 'token', expires_in: 3600 } : emptyPage,
    }));
    const { Dateline } = await importClient(next);
    await new Dateline({ baseUrl, ...credentials }).products.list();
    expect(calls.map(({ path, headers }) => [path, headers['service-version']])).toEqual([
      ['/v1/oauth2/token', next],
      ['/v1/products/', next],
    ]);
  });

  it.each(['Service-Version', 'service-version', 'SERVICE-VERSION', ' Service-Version '])(
    '[versions 94] cannot be changed by a header %j, neither of the client nor of a call',
    async (name) => {
      const { baseUrl, calls } = await startScriptedApi(() => ({ body: emptyPage }));
      const { Dateline } = await importClient(current);
      const headers = { [name]: next };
      expect(() => new Dateline({ baseUrl, accessToken: 'token', headers })).toThrow(UsageError);
      const client = new Dateline({ baseUrl, accessToken: 'token' });
      await expect(client.products.list({}, { headers })).rejects.toThrow(UsageError);
      expect(calls).toEqual([]);
    },
  );

  it('[versions 94] cannot be changed by an option, a field or a query of that name', async () => {
    const { baseUrl, calls } = await startScriptedApi(() => ({ body: emptyPage }));
    const { Dateline } = await importClient(current);
    const options = { baseUrl, accessToken: 'token', version: next, apiVersion: next, serviceVersion: next };
    const client = new Dateline(options);
    expect(() => {
      client.apiVersion = next;
    }).toThrow(TypeError);
    expect(() => Object.assign(Dateline, { apiVersion: next })).toThrow(TypeError);
    await client.products.list(
      { 'service-version': next },
      { version: next, headers: { 'X-Trace': 'kept' } },
    );
    expect(calls.map(({ headers }) => [headers['service-version'], headers['x-trace']])).toEqual([
      [current, 'kept'],
    ]);
  });

  it.each([
    ['another version', { 'service-version': next }, next],
    ['no version', { 'service-version': '' }, ''],
  ])(
    '[versions 95] is compared with the answer: %s there is a VersionMismatchError',
    async (_what, headers, answered) => {
      const { baseUrl } = await startScriptedApi(() => ({ body: emptyPage, headers }));
      const { Dateline } = await importClient(current);
      const failure = new Dateline({ baseUrl, accessToken: 'token' }).products.list();
      const error = await failure.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(VersionMismatchError);
      expect(error).toMatchObject({ requested: current, answered, status: 200 });
    },
  );

  it('[versions 95] may be missing in an error written by a gateway', async () => {
    const { Dateline } = await importClient(current);
    const gateway = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    const client = new Dateline({ baseUrl: 'http://localhost', accessToken: 'token', fetch: gateway });
    await expect(client.products.list()).rejects.toMatchObject({ name: 'Http502Error', status: 502 });
    const nobody = async () => new Response('{"items":[]}', { status: 200 });
    const other = new Dateline({ baseUrl: 'http://localhost', accessToken: 'token', fetch: nobody });
    await expect(other.products.list()).rejects.toMatchObject({
      name: 'VersionMismatchError',
      answered: null,
    });
  });

  it('[versions 96] that is removed makes every import throw, with the version to use', async () => {
    const sentence = new RegExp(`${gone} was removed.*@dateline/client/${current}'`);
    await expect(importClient(gone)).rejects.toThrow(sentence);
    await expect(importWebhooks(gone)).rejects.toThrow(sentence);
  });
});

describe('clients of several versions in one process', () => {
  const service = useTestService(anyEngine);

  it('[versions 97] share nothing: each sends its own version and token, and warns for itself', async () => {
    // The warning is given once per process, and other files have clients in this one.
    vi.resetModules();
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const sent: [string, string | null, string | null][] = [];
    const { client_id: clientId, client_secret: clientSecret } = service.quickstart.sandbox;
    const makeClient = async (version: string) => {
      const { Dateline } = await importClient(version);
      return new Dateline({
        baseUrl: service.urls.sandbox,
        clientId,
        clientSecret,
        fetch: (url, init) => {
          const headers = new Headers(init?.headers);
          sent.push([version, headers.get('service-version'), headers.get('authorization')]);
          return fetch(url, init);
        },
      });
    };
    const clients = await Promise.all([deprecated, current, next, deprecated].map(makeClient));
    const pages = await Promise.all(
      clients.flatMap((client) => [client.products.list(), client.products.list()]),
    );

    expect(pages.every(({ items }) => Array.isArray(items))).toBe(true);
    expect(sent.filter(([version, header]) => version !== header)).toEqual([]);
    const tokens = new Set(sent.map(([, , authorization]) => authorization).filter(Boolean));
    expect(tokens.size).toBe(clients.length);
    // Two clients of the deprecated version, four calls and two tokens: one sentence.
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining(`${deprecated} is deprecated`),
    ]);
  });

  it('notify each client once that its version is deprecated, by its own callback', async () => {
    const { Dateline } = await importClient(deprecated);
    const notices: unknown[] = [];
    const client = new Dateline({
      baseUrl: service.urls.sandbox,
      accessToken: service.quickstart.sandbox.access_token,
      onDeprecation: (notice) => notices.push(notice),
    });
    await client.products.list();
    await client.products.list();
    expect(notices).toEqual([
      expect.objectContaining({
        apiVersion: deprecated,
        sunsetAt: releaseAt,
        deprecatedAt: expect.any(Date),
      }),
    ]);
  });
});

describe('a client whose version is removed', () => {
  const service = useTestService(anyEngine);
  const calls = { 'products.list': 'GET /v1/products/ query bearer safe paged' };

  it.each([
    [removed, VersionRemovedError],
    [afterNext, VersionNotFoundError],
  ])('gets an error that names the maintained versions (%s)', async (version, ErrorClass) => {
    const Dateline = defineClient<AnyClient, string>(version, calls);
    const client = new Dateline({ baseUrl: service.urls.sandbox, accessToken: 'any' });
    const error = await client.products.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error instanceof VersionRemovedError).toBe(version === removed);
    expect(error).toMatchObject({
      code: 'version_not_found',
      status: 404,
      supported: maintained,
      current,
      requestId: expect.any(String),
    });
  });
});
