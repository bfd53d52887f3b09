import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { folderToken, useTestFolder } from '../support/folder/test-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const text = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const responses = {
  200: { description: 'Where it went.', content: { 'application/json': { schema: { type: 'object' } } } },
};
const requestBody = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', required: ['a'], properties: { a: text } } } },
};

/** A document as others write them. */
const contract = {
  openapi: '3.1.0',
  info: { title: 'As found', version: next },
  security: [{ oauth: ['read'] }],
  paths: {
    '/teams/{enterprise-team}': {
      get: { operationId: 'enterprise-teams/get', parameters: [inPath('enterprise-team')], responses },
    },
    '/compare/{base}...{head}': {
      get: {
        operationId: 'compare two commits',
        parameters: [inPath('base'), inPath('head')],
        responses,
      },
    },
    '/compare/{basehead}': { get: { parameters: [inPath('basehead')], responses } },
    '/compare/{other}': {
      delete: {
        operationId: 'compare.forget',
        parameters: [inPath('other')],
        security: [{ oauth: ['https://as-found.example/admin'] }],
        responses,
      },
    },
    '/jobs/{id}:cancel': { post: { operationId: 'jobs.cancel', parameters: [inPath('id')], responses } },
    '/jobs/{id}:purge': {
      post: {
        operationId: 'jobs.purge',
        parameters: [inPath('id')],
        security: [{ oauth: ['https://as-found.example/admin'] }],
        responses,
      },
    },
    '/either': {
      get: {
        operationId: 'either',
        security: [{ oauth: ['https://as-found.example/admin'] }, { oauth: ['read', 'repo:status'] }],
        responses,
      },
    },
    '/both': { get: { operationId: 'both', security: [{ oauth: ['read'], key: [] }], responses } },
    '/maybe': { get: { operationId: 'maybe', security: [{ oauth: ['read'] }, {}], responses } },
    '/open': { get: { operationId: 'open', security: [], requestBody, responses } },
  },
  webhooks: {
    newBooking: { post: { requestBody, parameters: [{ name: 'X-Event', in: 'header', schema: text }] } },
    'branch-protection-rule created': { post: { security: [], requestBody } },
  },
  components: {
    securitySchemes: {
      oauth: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', name: 'api_key', in: 'header' },
    },
  },
};

const SCOPES = ['read', 'repo:status', 'https://as-found.example/admin'];

describe('a document as it was found', () => {
  const seen: { url: string; authorization: string | undefined }[] = [];
  const service = useTestFolder({
    contract: JSON.stringify(contract),
    scopes: SCOPES,
    config: {
      security: { key: { scopes: ['repo:status'] } },
      open: ['maybe', 'open', 'branch-protection-rule created'],
    },
    upstream: ({ url = '', headers: { authorization } }, response) => {
      seen.push({ url, authorization });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    for (const scope of ['read', 'repo:status', 'read repo:status', 'https://as-found.example/admin'])
      tokens.set(scope, await folderToken(service, `${scope} webhooks:write`));
  });

  /** The status of a call, and where it went. */
  async function ask(path: string, scope: string | null, { method = 'GET', version = next as string } = {}) {
    seen.length = 0;
    const headers = {
      'service-version': version,
      ...(scope === null ? {} : { authorization: `Bearer ${tokens.get(scope) ?? scope}` }),
    };
    const { status } = await service.call('sandbox', path, { method, headers });
    return answered({ status, target: seen[0]?.url }, path);
  }

  it.each(maintained)(
    '[folder 42] has ids of operations, paths and parameters in any spelling, in %s',
    async (version) => {
      const get = (path: string) => ask(path, 'read', { version });
      expect(await get('/teams/a%20b')).toEqual({ status: 200, target: '/teams/a%20b' });
      expect(await get('/compare/v1.0...v2.0')).toEqual({ status: 200, target: '/compare/v1.0...v2.0' });
      // One that has no id is served by its method and path.
      expect(await get('/compare/main')).toEqual({ status: 200, target: '/compare/main' });
      expect(await ask('/jobs/7:cancel', 'read', { method: 'POST', version })).toEqual({
        status: 200,
        target: '/jobs/7:cancel',
      });
    },
  );

  it('[folder 42] tells paths that differ in text beside a parameter apart, and methods of one address', async () => {
    expect(await ask('/compare/main', 'read', { method: 'DELETE' })).toEqual({ status: 403 });
    expect(await ask('/jobs/7:purge', 'read', { method: 'POST' })).toEqual({ status: 403 });
    // An upstream that decodes twice would find the other operation there.
    expect(await ask('/jobs/7%253apurge:cancel', 'read', { method: 'POST' })).toEqual({ status: 404 });
    expect(
      await ask('/jobs/7%253apurge:cancel', 'https://as-found.example/admin', { method: 'POST' }),
    ).toEqual({ status: 403 });
  });

  it('[folder 42] has its names in the documents, the reference and the kinds of events', async () => {
    for (const version of maintained) {
      const document = await (await service.call('sandbox', `/versions/${version}/openapi.json`)).json();
      const { paths, webhooks } = document as typeof contract;
      expect(paths['/compare/{basehead}'].get).toMatchObject({ operationId: 'GET /compare/{basehead}' });
      expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(Object.keys(contract.webhooks)));
      const page = await service.call('sandbox', `/docs/${version}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('enterprise-teams/get');
    }
  });

  it('[folder 42] sends webhooks of any name to those who subscribe to them', async () => {
    const subscribe = async (events: readonly string[]) =>
      (
        await service.call('sandbox', '/v1/webhooks/endpoints', {
          method: 'POST',
          headers: {
            'service-version': next,
            authorization: `Bearer ${tokens.get('read')}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ url: 'http://127.0.0.1:9/', events }),
        })
      ).status;
    expect(await subscribe(['newBooking', 'branch-protection-rule created'])).toBe(201);
    expect(await subscribe(['newBooking.*'])).toBe(201);
    expect(await subscribe(['oldBooking'])).toBe(422);
  });

  it('[folder 43] needs the scopes of one of the alternatives, and of all schemes of it', async () => {
    const statuses = async (path: string) =>
      Object.fromEntries(
        await Promise.all([...tokens.keys()].map(async (scope) => [scope, (await ask(path, scope)).status])),
      );
    expect(await statuses('/either')).toEqual({
      read: 403,
      'repo:status': 403,
      'read repo:status': 200,
      'https://as-found.example/admin': 200,
    });
    expect(await statuses('/both')).toEqual({
      read: 403,
      'repo:status': 403,
      'read repo:status': 200,
      'https://as-found.example/admin': 403,
    });
    expect((await ask('/either', null)).status).toBe(401);
  });

  it('[folder 43] answers without a token what is open, and counts one that is sent', async () => {
    expect(await ask('/open', null)).toEqual({ status: 200, target: '/open' });
    expect(await ask('/maybe', null)).toEqual({ status: 200, target: '/maybe' });
    expect(seen[0]?.authorization).toBeUndefined();
    expect(await ask('/maybe', 'read')).toEqual({ status: 200, target: '/maybe' });
    expect(seen[0]?.authorization).toMatch(/^Bearer ey/);
    expect((await ask('/maybe', 'no token')).status).toBe(401);
    expect((await ask('/maybe', 'repo:status')).status).toBe(403);
  });
});

describe('a document that leaves open who may call', () => {
  async function checked(document: object, config: object) {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-found-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    writeFileSync(join(folder, 'contract/next.yaml'), JSON.stringify(document));
    const upstream = { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8', audience: 'found' };
    const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, { consent: 'Use it' }]));
    const made = { title: 'Found', upstream, scopes, ...config };
    writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(made)};`);
    const found = await runCommandLine(['contract', 'found', '--api', folder]);
    return found.code === 0 ? runCommandLine(['contract', 'check', '--api', folder]) : found;
  }

  it('[folder 43] is refused once, with the count and what to write', async () => {
    const operation = (index: number) => [`/things${index}`, { get: { responses } }] as const;
    const { security: _left, ...rest } = contract;
    const many = {
      ...rest,
      webhooks: {},
      paths: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => operation(i))),
    };
    const { code, err } = await checked(many, {});
    expect(code).toBe(1);
    expect(err).toContain(
      "contract/next.yaml: /security: 1,000 operations and webhooks need no token, so anyone could use it: give them a security, or write open: ['GET /things0', 'GET /things1'",
    );
    expect(err).toContain("… and 980 more] (or open: '*') into dateline.config.mjs");
    expect(err.match(/no token/g)).toHaveLength(1);
    expect(await checked(many, { open: '*' })).toMatchObject({ code: 0 });
  });

  it('[folder 43] is refused with the schemes that are no token, until scopes stand for them', async () => {
    const { code, err } = await checked(contract, { open: '*' });
    expect(code).toBe(1);
    expect(err).toContain("security: { 'key': { scopes: [] } } in dateline.config.mjs");
    expect(await checked(contract, { open: '*', security: { key: { scopes: [] } } })).toMatchObject({
      code: 0,
    });
  });
});
