import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as forExpress from '../../client/src/express.ts';
import * as forFastify from '../../client/src/fastify.ts';
import { createIntrospectionCache } from '../../client/src/introspection-cache.ts';
import { anyEngine } from '../support/database/databases.ts';
import { type AnyClient, importClient, importWebhooks } from '../support/oauth/clients.ts';
import { current, next } from '../support/service/build-versions.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

type Rules = forExpress.BearerRules;

/** A resource server with one route that returns the caller. */
const servers = {
  async Fastify(rules: Rules): Promise<string> {
    const app = fastify();
    app.get('/me', { onRequest: forFastify.requireToken(rules) }, (request) => {
      const { token, scopes } = forFastify.callerOf(request);
      return { sub: token.sub, scopes };
    });
    app.get('/open', (request) => forFastify.callerOf(request));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  async Express(rules: Rules): Promise<string> {
    const app = express();
    app.get('/me', forExpress.requireToken(rules), (request, response) => {
      const { token, scopes } = forExpress.callerOf(request);
      response.json({ sub: token.sub, scopes });
    });
    app.get('/open', (request, response) => void response.json(forExpress.callerOf(request)));
    app.use(((_error, _request, response, _next) => {
      response.status(500).json({});
    }) as express.ErrorRequestHandler);
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

describe('resource servers', () => {
  const { service, endpoint } = useDeliveries(anyEngine);
  async function connect(change: object = {}): Promise<AnyClient> {
    const { Dateline } = await importClient(current);
    const { client_id: clientId, client_secret: clientSecret } = service.quickstart.sandbox;
    return new Dateline({ baseUrl: service.urls.sandbox, clientId, clientSecret, ...change });
  }
  async function issue(client: AnyClient, scope?: string): Promise<string> {
    return (await client.oauth.token({ grant_type: 'client_credentials', scope })).access_token;
  }

  describe.each(Object.entries(servers))('on %s', (_name, start) => {
    async function serve(change: Partial<Rules> = {}) {
      const client = await connect();
      const url = await start({
        introspect: (token) => client.oauth.introspect({ token }),
        scopes: ['products:read'],
        realm: 'a "shop"',
        ...change,
      });
      const ask = async (authorization?: string, path = '/me') => {
        const response = await fetch(
          url + path,
          authorization === undefined ? {} : { headers: { authorization } },
        );
        const challenge = response.headers.get('www-authenticate');
        return {
          status: response.status,
          challenge,
          body: (await response.json()) as Record<string, unknown>,
        };
      };
      return { client, ask };
    }

    it('admit the bearer of an active token, and identify it', async () => {
      const { client, ask } = await serve();
      const token = await issue(client, 'products:read products:write');
      expect(await ask(`Bearer ${token}`)).toMatchObject({
        status: 200,
        body: {
          sub: service.quickstart.sandbox.organization_id,
          scopes: ['products:read', 'products:write'],
        },
      });
      expect((await ask(`bearer ${token}`)).status).toBe(200);
    });

    it('challenge a request without a token, and name no error (RFC 6750 §3.1)', async () => {
      const { ask } = await serve();
      for (const header of [undefined, 'Basic eDp5', 'Bearerx y']) {
        const { status, challenge } = await ask(header);
        expect([status, challenge]).toEqual([401, 'Bearer realm="a \\"shop\\""']);
      }
    });

    it('reject a header without a bearer token as malformed', async () => {
      const { ask } = await serve();
      for (const header of ['Bearer', 'Bearer a b', 'Bearer "x"']) {
        const { status, challenge, body } = await ask(header);
        expect([status, body.error]).toEqual([400, 'invalid_request']);
        expect(challenge).toContain('error="invalid_request"');
      }
    });

    it('reject unknown and revoked tokens, and refresh tokens', async () => {
      const { client, ask } = await serve();
      const token = await issue(client);
      await client.oauth.revoke({ token });
      for (const bad of ['unknown', token, service.quickstart.sandbox.refresh_token]) {
        const { status, challenge, body } = await ask(`Bearer ${bad}`);
        expect([status, body.error]).toEqual([401, 'invalid_token']);
        expect(challenge).toContain('error="invalid_token"');
      }
    });

    it('reject tokens for another audience', async () => {
      const { client, ask } = await serve({ audience: 'https://elsewhere.example.com' });
      expect((await ask(`Bearer ${await issue(client)}`)).body.error).toBe('invalid_token');
    });

    it('name the missing scopes', async () => {
      const { client, ask } = await serve();
      const { status, challenge, body } = await ask(`Bearer ${await issue(client, 'products:write')}`);
      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      expect(challenge).toContain('scope="products:read"');
    });

    it('admit no request while tokens cannot be checked, and do not call the token invalid', async () => {
      const lost = await connect({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
      const { ask } = await serve({ introspect: (token) => lost.oauth.introspect({ token }) });
      const { status, challenge, body } = await ask('Bearer x');
      expect([status, challenge, body.error]).toEqual([503, null, 'temporarily_unavailable']);
      const broken = await serve({ introspect: () => Promise.reject(new TypeError('a mistake')) });
      expect((await broken.ask('Bearer x')).status).toBe(500);
    });

    it('report their own misconfiguration, which does not pass by itself', async () => {
      const rotated = await connect({ clientSecret: 'of last year' });
      const unsaid = await connect({ clientId: undefined, accessToken: 'x' });
      for (const client of [rotated, unsaid]) {
        const { ask } = await serve({ introspect: (token) => client.oauth.introspect({ token }) });
        const { status, challenge } = await ask('Bearer x');
        expect([status, challenge]).toEqual([500, null]);
      }
    });

    it('have no caller on a route that needs no token', async () => {
      const { ask } = await serve();
      expect((await ask(undefined, '/open')).status).toBe(500);
    });
  });

  it('do not answer twice where the route has answered during the check', async () => {
    const failures: unknown[] = [];
    const middleware = forExpress.requireToken({ introspect: async () => ({ active: false }) });
    const answered = {
      headersSent: true,
      status: () => answered,
      set(): never {
        throw new Error('headers are sent already');
      },
      json: () => {},
    };
    middleware({ headers: { authorization: 'Bearer x' } }, answered, (error) => void failures.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toEqual([]);
  });

  it('with a cache learn of revocations by webhook', async () => {
    const client = await connect();
    const { verifyWebhook } = await importWebhooks(next);
    let asked = 0;
    const cache = createIntrospectionCache({
      introspect: (token) => {
        asked += 1;
        return client.oauth.introspect({ token });
      },
      // Only a webhook can invalidate it.
      maxAgeMs: 86_400_000,
      now: () => service.clock.now().getTime(),
    });
    const hook = await endpoint({ events: ['token.revoked', 'grant.revoked'], api_version: next });
    const tokens = await Promise.all(Array.from({ length: 40 }, () => issue(client)));
    const areActive = async () =>
      (await Promise.all(tokens.map((token) => cache.introspect(token)))).map(({ active }) => active);
    expect(await areActive()).toEqual(Array(40).fill(true));
    expect(await areActive()).toEqual(Array(40).fill(true));
    expect(asked).toBe(40);

    for (const token of tokens.slice(0, 30)) await client.oauth.revoke({ token });
    await expect.poll(() => hook.receiver.requests.length).toBeGreaterThanOrEqual(30);
    const now = service.clock.now();
    for (const { headers, body } of hook.receiver.requests) {
      cache.handleWebhook(await verifyWebhook({ headers, body, secret: hook.secret, now }));
    }
    expect(await areActive()).toEqual([...Array(30).fill(false), ...Array(10).fill(true)]);
  });
});
