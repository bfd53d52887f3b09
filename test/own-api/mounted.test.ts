import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const content = {
  'application/json': { schema: { type: 'object', properties: { url: { type: 'string' } } } },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** Its paths are those that Dateline has itself. */
const contract = {
  openapi: '3.1.0',
  info: { title: 'Mounted', version: next },
  security: [],
  paths: {
    '/versions': { get: { operationId: 'versions', responses: { 200: { description: 'All.', content } } } },
    '/docs/{id}': {
      get: {
        operationId: 'doc',
        parameters: [id],
        responses: { 200: { $ref: '#/paths/~1versions/get/responses/200' } },
      },
      put: {
        operationId: 'move',
        parameters: [id],
        responses: { 303: { description: 'Moved.', headers: { Location: { schema: { type: 'string' } } } } },
      },
    },
    '/v1/oauth2/token': {
      get: { operationId: 'token', responses: { 200: { description: 'None of ours.', content } } },
    },
  },
};

/** Two that could be any of them. */
const anywhere = {
  '/': { get: { operationId: 'root', responses: { 200: { description: 'All.', content } } } },
  '/{id}/any': {
    get: { operationId: 'any', parameters: [id], responses: { 200: { description: 'Any.', content } } },
  },
};

describe('an API folder with a mount', () => {
  const service = useTestFolder({
    contract: JSON.stringify(contract),
    config: { mount: '/company/api' },
    files: { 'errors.mjs': `export default ({ detail }) => ({ body: { url: detail } });` },
    upstream: ({ url = '', method, headers }, response) => {
      if (method === 'PUT') {
        const location = `http://${headers.host}/docs/elsewhere?a=1`;
        response.writeHead(303, { location, link: '</versions>; rel="up"' }).end();
      } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url }));
    },
  });
  const call = (path: string, version: string, init: RequestInit = {}) =>
    service.call('sandbox', path, {
      ...init,
      redirect: 'manual',
      headers: { 'service-version': version, ...(init.headers as Record<string, string>) },
    });

  it.each(maintained)(
    '[folder 49] is served below it, and asks its upstream without it, in %s',
    async (version) => {
      for (const path of ['/versions', '/docs/7', '/v1/oauth2/token']) {
        const answer = await call(`/company/api${path}`, version);
        expect([answer.status, await answer.json()]).toEqual([200, { url: path }]);
      }
      expect((await call('/company/api', version)).status).toBe(404);
      expect((await call('/company/versions', version)).status).toBe(404);
    },
  );

  it.each(maintained)('[folder 49] leaves the paths of Dateline where they are, in %s', async (version) => {
    expect(await (await call('/versions', version)).json()).toHaveProperty('versions');
    expect((await call(`/docs/${version}`, version)).headers.get('content-type')).toContain('text/html');
    expect((await call('/v1/oauth2/token', version, { method: 'POST' })).status).toBe(400);
    expect((await call('/company/api/healthz', version)).status).toBe(404);
  });

  it.each(maintained)(
    '[folder 49] has it in its documents, reference, redirections and preflights, in %s',
    async (version) => {
      const document = (await (await call(`/versions/${version}/openapi.json`, version)).json()) as {
        paths: Record<string, unknown>;
      };
      const mounted = Object.keys(contract.paths).map((path) => `/company/api${path}`);
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(mounted));
      for (const path of ['/versions', '/docs/{id}']) expect(document.paths).not.toHaveProperty([path]);
      expect(JSON.stringify(document)).not.toContain('"#/paths/~1versions');
      expect(await (await call(`/docs/${version}`, version)).text()).toContain('/company/api/docs/');
      const moved = await call('/company/api/docs/7', version, { method: 'PUT' });
      expect([moved.status, moved.headers.get('location')]).toEqual([303, '/company/api/docs/elsewhere?a=1']);
      const preflight = await call('/company/api/docs/7', version, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
      });
      expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    },
  );
});

describe('an API folder whose paths are Dateline’s own', () => {
  async function checked(mount: object) {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-mounted-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    const upstream = { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8', audience: 'mounted' };
    const config = { title: 'Mounted', upstream, scopes: {}, open: '*', ...mount };
    writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(config)};`);
    const paths = { ...contract.paths, ...anywhere };
    writeFileSync(join(folder, 'contract/next.yaml'), JSON.stringify({ ...contract, paths }));
    const found = await runCommandLine(['contract', 'found', '--api', folder]);
    return found.code === 0 ? runCommandLine(['contract', 'check', '--api', folder]) : found;
  }

  it('[folder 49] is refused with the paths and that advice', async () => {
    const { code, err } = await checked({});
    expect(code).toBe(1);
    for (const path of ['~1: ', '~1{id}~1any', '~1versions', '~1docs~1{id}', '~1v1~1oauth2~1token'])
      expect(err).toContain(`/paths/${path}`);
    expect(err).toContain("put all of them below a prefix with mount: '/api' in dateline.config.mjs");
    expect(await checked({ mount: '/api' })).toMatchObject({ code: 0 });
  });

  it.each(['api', '/', '/api/', '/a//b', '/a/../b', '/{id}', '/a?b', '/v1/oauth2', '/operator/api'])(
    '[folder 49] is not put below %s',
    async (mount) => {
      const { code, err } = await checked({ mount });
      expect([code, err]).toEqual([1, expect.stringContaining('dateline.config.mjs: mount: ')]);
    },
  );
});
