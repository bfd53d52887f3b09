import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { describeWith } from '../support/run/needs.ts';
import { next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receivers.ts';
import {
  API_NAME,
  type ProxiedNode,
  SANDBOX_NAME,
  type StartProxy,
  startHaproxy,
  startNginx,
} from './start-proxies.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const KNOWN_TO_OPERATORS = [
  '/operator',
  '/operator/clients',
  '/operator/openapi.json',
  '/OPERATOR/clients',
  '//operator/clients',
  '/%6fperator/clients',
  '/v1/../operator/clients',
  '/v1/%2e%2e/operator/clients',
  '/console',
  '/console/',
  '/metrics',
  '/metrics?name=up',
  '/healthz',
  '/readyz',
];

/** The port of what stands for a node, in both environments. */
const bothAt = (port: number): ProxiedNode => ({ production: port, sandbox: port });

function proxyTests(start: StartProxy): (program: string) => void {
  return (program) => {
    /** Nodes that answer as told, and show what the proxy has sent them. */
    async function before(
      ...answers: readonly [RequestListener] | readonly [RequestListener, RequestListener]
    ) {
      const receivers: Receiver[] = [];
      for (const answer of answers) receivers.push(await startReceiver({ answer: answeringProbes(answer) }));
      const [first, second = first] = receivers.map(({ port }) => bothAt(port));
      if (!first || !second) throw new Error('no node');
      const proxy = await start(program, [first, second]);
      const asked = (): number[] =>
        receivers.map(({ requests }) => requests.splice(0).filter(({ path }) => path !== '/readyz').length);
      return { proxy, receivers, asked };
    }

    describe('in front of a node', () => {
      const service = useTestService(anyEngine, {
        DATELINE_TRUSTED_PROXIES: '127.0.0.1',
        DATELINE_PUBLIC_URL: `https://${API_NAME}`,
        DATELINE_SANDBOX_PUBLIC_URL: `https://${SANDBOX_NAME}`,
      });
      const started = () => {
        const [production, sandbox] = [service.urls.production, service.urls.sandbox].map((url) =>
          Number(new URL(url).port),
        );
        return start(program, [{ production: production ?? 0, sandbox: sandbox ?? 0 }]);
      };

      it('leads each name to its environment, over TLS', async () => {
        const { call } = await started();
        for (const name of [API_NAME, SANDBOX_NAME]) {
          const { status, headers, body } = await call('/.well-known/oauth-authorization-server', { name });
          expect([status, JSON.parse(body).issuer]).toEqual([200, `https://${name}`]);
          expect(headers['strict-transport-security']).toBe('max-age=63072000');
        }
      });

      it('passes the version on, both ways', async () => {
        const { call } = await started();
        const { client_id, client_secret, access_token: token } = service.quickstart.sandbox;
        const body = new URLSearchParams({ client_id, client_secret, token }).toString();
        const introspect = (version: string) =>
          call('/v1/oauth2/introspect', {
            method: 'POST',
            name: SANDBOX_NAME,
            headers: { ...FORM, 'service-version': version },
            body,
          });
        const known = await introspect(next);
        expect([known.status, known.headers['service-version'], JSON.parse(known.body).active]).toEqual([
          200,
          next,
          true,
        ]);
        const unknown = await introspect('1999-01');
        expect([unknown.status, JSON.parse(unknown.body).error]).toEqual([404, 'version_not_found']);
      });

      it('refuses what is for operators, also to who has a key', async () => {
        const { call } = await started();
        const key = service.quickstart.production.operator_key;
        const path = '/operator/operator-keys';
        expect((await service.operate('production', path)).status).toBe(200);
        const refused = await call(path, { headers: { authorization: `Bearer ${key}` } });
        expect([refused.status, refused.headers['service-version']]).toEqual([404, undefined]);
      });
    });

    it('lets no request for operators or probes through, however it is written', async () => {
      const { proxy, asked } = await before((_request, response) => response.end('ok'));
      for (const path of KNOWN_TO_OPERATORS)
        expect([path, (await proxy.call(path)).status]).toEqual([path, 404]);
      expect(asked()).toEqual([0]);
      expect((await proxy.call('/operators-handbook')).status).toBe(200);
    });

    it('says where a request comes from, whatever the client says', async () => {
      const { proxy, receivers } = await before((_request, response) => response.end('ok'));
      const headers = {
        'x-forwarded-for': ['203.0.113.9', '198.51.100.7'],
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'elsewhere.example',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-request-id': 'chosen-by-the-client',
      };
      await proxy.call('/versions', { headers, from: '127.0.0.2' });
      const [seen] = receivers.flatMap(({ requests }) => requests.filter(({ path }) => path === '/versions'));
      expect(seen?.headers).toMatchObject({
        host: API_NAME,
        'x-forwarded-for': '127.0.0.2',
        'x-forwarded-proto': 'https',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{32,36}$/),
      });
      for (const name of ['x-forwarded-host', 'x-real-ip', 'forwarded', 'traceparent'])
        expect([name, seen?.headers[name]]).toEqual([name, undefined]);
    });

    it('serves no other name', async () => {
      const { proxy, asked } = await before((_request, response) => response.end('ok'));
      const other = await proxy
        .call('/versions', { name: 'other.example.com' })
        .catch(() => ({ status: 421 }));
      expect(other.status).toBe(421);
      expect(asked()).toEqual([0]);
    });

    it('asks the other node after a 503 only for what may be repeated', async () => {
      const { proxy, asked } = await before(unavailable, unavailable);
      const total = async (method: string, path: string) => {
        const { status } = await proxy.call(path, {
          method,
          ...(method === 'POST' ? { headers: FORM, body: 'a=b' } : {}),
        });
        return [status, asked().reduce((sum, count) => sum + count, 0) > 1];
      };
      expect(await total('GET', '/v1/products/')).toEqual([503, true]);
      expect(await total('POST', '/v1/oauth2/introspect')).toEqual([503, true]);
      expect(await total('POST', '/v1/oauth2/revoke')).toEqual([503, true]);
      expect(await total('POST', '/v1/oauth2/token')).toEqual([503, false]);
      expect(await total('POST', '/v1/products/')).toEqual([503, false]);
    });

    it('asks the other node after one that broke off only for what may be repeated', async () => {
      const breaking: RequestListener = (request) => request.socket.destroy();
      const { proxy, asked } = await before(breaking, breaking);
      const isRepeated = async (path: string) => {
        const { status } = await proxy.call(path, { method: 'POST', headers: FORM, body: 'a=b' });
        return [status >= 502, asked().reduce((sum, count) => sum + count, 0) > 1];
      };
      expect(await isRepeated('/v1/oauth2/introspect')).toEqual([true, true]);
      expect(await isRepeated('/v1/oauth2/token')).toEqual([true, false]);
    });

    it('asks the other node for a token where the first one takes no connection', async () => {
      const node = await startReceiver({
        answer: answeringProbes((_request, response) => response.end('ok')),
      });
      const { call } = await start(program, [bothAt(await freePort()), bothAt(node.port)]);
      for (const _ of [1, 2, 3]) {
        const { status } = await call('/v1/oauth2/token', { method: 'POST', headers: FORM, body: 'a=b' });
        expect(status).toBe(200);
      }
    });

    it('says in JSON when to ask again where no node answers', async () => {
      const { call } = await start(program, [bothAt(await freePort())]);
      const { status, headers, body } = await call('/v1/products/');
      expect([status, headers['retry-after'], JSON.parse(body).error]).toEqual([
        503,
        '1',
        'temporarily_unavailable',
      ]);
      expect(headers['cache-control']).toBe('no-store');
    });

    it('passes an answer on while it comes', async () => {
      let finish = (): void => {};
      const { proxy } = await before((_request, response) => {
        response.write('first');
        finish = () => response.end('last');
      });
      const onData = (text: string) => {
        if (text === 'first') finish();
      };
      expect((await proxy.call('/v1/stream', { onData })).body).toBe('firstlast');
    });

    it('takes bodies of up to 2 MiB', async () => {
      const { proxy, asked } = await before((_request, response) => response.end('ok'));
      const sent = await proxy.call('/v1/uploads', { method: 'POST', body: Buffer.alloc(2 ** 20) });
      expect(sent.status).toBe(200);
      expect(asked()).toEqual([1]);
      const refused = await proxy.call('/v1/uploads', { method: 'POST', announcedBytes: 2 ** 21 + 1 });
      expect(refused.status).toBe(413);
      expect(asked()).toEqual([0]);
    });
  };
}

describeWith('nginx', 'nginx, as it is shipped', proxyTests(startNginx));

describeWith('haproxy', 'HAProxy, as it is shipped', (program) => {
  proxyTests(startHaproxy)(program);

  it('sends nothing new to a node that drains, although it still serves', async () => {
    let isDraining = false;
    const draining = await startReceiver({
      answer: (request, response) =>
        response.writeHead(request.url === '/readyz' && isDraining ? 503 : 200).end('draining'),
    });
    const other = await startReceiver({ answer: (_request, response) => response.end('other') });
    const { call } = await startHaproxy(program, [bothAt(draining.port), bothAt(other.port)]);
    const bodies = async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => call('/versions')));
      return new Set(answers.map(({ body }) => body));
    };
    expect(await bodies()).toEqual(new Set(['draining', 'other']));
    isDraining = true;
    await expect.poll(bodies).toEqual(new Set(['other']));
    const seen = draining.requests.filter(({ path }) => path === '/versions').length;
    for (const _ of [1, 2, 3]) await bodies();
    expect(draining.requests.filter(({ path }) => path === '/versions')).toHaveLength(seen);
  });
});

const unavailable: RequestListener = (_request, response) => response.writeHead(503).end();

/** A node that is ready. */
const answeringProbes =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url === '/readyz') response.end('ready');
    else answer(request, response);
  };
