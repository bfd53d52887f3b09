import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, isFullMatrix } from '../support/database/databases.ts';
import { describeInLongRuns, itInLongRuns } from '../support/run/in-long-runs.ts';
import { packageProblems } from '../support/run/package-problems.ts';
import { typeProblems } from '../support/run/type-problems.ts';
import { current, deprecated, gone, homeTime, maintained, next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';
import { buildWithFolderKinds } from '../support/webhooks/folder-kinds.ts';

const shiftedClock = pathToFileURL(resolve('tools/shifted-clock.mjs')).href;
const SIZE_MAX_BYTES = 12 * 1024;

/** The package as users get it: packed, and installed into an empty project. */
describe('the packed client', () => {
  // Its README publishes events too.
  const service = useTestService(anyEngine, {}, homeTime, { build: buildWithFolderKinds() });
  let project: string;
  let tarball: string;
  const installed = () => join(project, 'node_modules', '@dateline', 'client');

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'dateline-project-'));
    const packed = npm(['pack', '--json', '--pack-destination', project], resolve('client'));
    // The build prints its own output first.
    const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [{ filename: string }];
    tarball = join(project, filename);
    write('package.json', '{"name":"empty","private":true,"type":"module"}');
    npm(['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], project);
    // Dependencies of the user's own project; Node resolves theirs where they are installed.
    for (const name of ['fastify', 'express', '@types/express', '@types/node']) {
      mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
    }
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function npm(args: string[], cwd: string): string {
    return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }

  /** Runs a program in the project, and returns its output. */
  function run(path: string): Promise<{ status: number; stdout: string; stderr: string }> {
    const { client_id, client_secret, operator_key, organization_id } = service.quickstart.sandbox;
    const { CLOCK_SHIFT_MS = '0', NODE_OPTIONS = '' } = process.env;
    const env = {
      ...process.env,
      // Tokens expire by the clock of the service, which differs from ours in tests.
      CLOCK_SHIFT_MS: String(Number(CLOCK_SHIFT_MS) + service.clock.now().getTime() - Date.now()),
      NODE_OPTIONS: NODE_OPTIONS.includes(shiftedClock)
        ? NODE_OPTIONS
        : `${NODE_OPTIONS} --import ${shiftedClock}`,
      API_URL: service.urls.sandbox,
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
      PUBLISHER_KEY: operator_key,
      ORGANIZATION_ID: organization_id,
      WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    };
    // The service answers from this process, which must not wait for the program.
    return new Promise((done) => {
      execFile(process.execPath, [path], { cwd: project, env, timeout: 120_000 }, (error, stdout, stderr) =>
        done({ status: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
    });
  }

  /** Token, products, introspection, revocation and a webhook, in a version. It prints what it has seen. */
  const journey = (version: string) => `
const sent = new Set();
const client = new Dateline({
  baseUrl: process.env.API_URL,
  clientId: process.env.CLIENT_ID,
  clientSecret: process.env.CLIENT_SECRET,
  onDeprecation: () => {},
  fetch: (url, init) => {
    sent.add(new Headers(init?.headers).get('service-version'));
    return fetch(url, init);
  },
});
const { access_token: token } = await client.oauth.token({ grant_type: 'client_credentials' });
const { items } = await client.products.list({ limit: 1 });
const before = await client.oauth.introspect({ token });
await client.oauth.revoke({ token });
const after = await client.oauth.introspect({ token });
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const data = { id: 'org_1', name: 'Bakery', created_at: '${new Date(0).toISOString()}' };
const signed = await signWebhookForTest({ type: 'organization.updated', data, secret });
const { api_version } = await verifyWebhook({ ...signed, secret });
console.log(JSON.stringify([[...sent], items.length <= 1, before.active, after.active, api_version, '${version}']));
`;
  // Each is a process of its own: all in long runs, the newest always.
  const shown = isFullMatrix ? maintained : [next];
  const seen = (version: string) => JSON.stringify([[version], true, true, false, version, version]);
  const esm = (version: string) => `
import { Dateline } from '@dateline/client/${version}';
import { signWebhookForTest, verifyWebhook } from '@dateline/client/${version}/webhooks';
${journey(version)}`;

  it.each(shown)('works as ESM in %s', async (version) => {
    write('esm.mjs', esm(version));
    expect(await run('esm.mjs')).toEqual({ status: 0, stdout: `${seen(version)}\n`, stderr: '' });
  });

  it.each(shown)('works as CommonJS in %s', async (version) => {
    write(
      'cjs.cjs',
      `
const { Dateline } = require('@dateline/client/${version}');
const { signWebhookForTest, verifyWebhook } = require('@dateline/client/${version}/webhooks');
const { createIntrospectionCache } = require('@dateline/client/introspection-cache');
const { publishEvents } = require('@dateline/client/publish');
if (typeof createIntrospectionCache !== 'function') throw new Error('no cache');
if (typeof publishEvents !== 'function') throw new Error('nothing that publishes');
(async () => {${journey(version)}})();`,
    );
    expect(await run('cjs.cjs')).toEqual({ status: 0, stdout: `${seen(version)}\n`, stderr: '' });
  });

  const resolutions = [
    ['node16', { module: 'Node16', moduleResolution: 'Node16' }],
    ['bundler', { module: 'ESNext', moduleResolution: 'Bundler' }],
  ] as const;

  itInLongRuns.each(resolutions)('works in TypeScript with moduleResolution %s', async (name, options) => {
    const folder = join(project, `typescript-${name}`);
    const typed = (version: string) => esm(version).replace('new Set()', 'new Set<string | null>()');
    for (const version of maintained) {
      write(`typescript-${name}/in-${version}.mts`, typed(version));
      write(
        `typescript-${name}/in-${version}.cts`,
        `import { Dateline } from '@dateline/client/${version}';
import { verifyWebhook } from '@dateline/client/${version}/webhooks';
export const client: Dateline = new Dateline({ environment: 'sandbox' });
export const verify = verifyWebhook;
`,
      );
    }
    const emitting = {
      ...options,
      noEmit: false,
      allowImportingTsExtensions: false,
      outDir: join(folder, 'out'),
      rootDir: folder,
      types: ['node'],
      skipLibCheck: false,
    };
    expect(typeProblems(folder, emitting)).toEqual([]);
    for (const version of maintained) {
      expect((await run(`typescript-${name}/out/in-${version}.mjs`)).stdout).toBe(`${seen(version)}\n`);
    }
  });

  it('[versions 96] names the version to use instead of a removed one, as ESM and as CommonJS', async () => {
    const sentence = `Dateline API version ${gone} was removed. Import from '@dateline/client/${current}' instead`;
    // With all that the README imports: otherwise the error would be about a missing name.
    write(
      'removed.mjs',
      `import { ApiError, Dateline, NotFoundError } from '@dateline/client/${gone}';\nnew Dateline({});`,
    );
    write(
      'removed-webhooks.mjs',
      `import { verifyWebhook, WebhookError } from '@dateline/client/${gone}/webhooks';\nverifyWebhook();`,
    );
    write(
      'removed.cjs',
      `const { verifyWebhook } = require('@dateline/client/${gone}/webhooks');\nverifyWebhook();`,
    );
    for (const name of ['removed.mjs', 'removed-webhooks.mjs', 'removed.cjs']) {
      const { status, stderr } = await run(name);
      expect(status).toBe(1);
      expect(stderr).toContain(sentence);
    }
  });

  it('[versions 100] sends the same requests whatever the version of the package is', async () => {
    const headersOf = async () => {
      write(
        'headers.mjs',
        `import { Dateline } from '@dateline/client/${current}';
const client = new Dateline({ baseUrl: 'http://localhost', accessToken: 'x', fetch: async (_url, init) => {
  console.log(JSON.stringify(init.headers));
  return new Response('{}', { headers: { 'service-version': '${current}' } });
} });
await client.products.get('prd_1');`,
      );
      return (await run('headers.mjs')).stdout;
    };
    const manifestPath = join(installed(), 'package.json');
    const manifest = readFileSync(manifestPath, 'utf8');
    const before = await headersOf();
    expect(JSON.parse(before)).toMatchObject({ 'service-version': current });
    writeFileSync(manifestPath, manifest.replace(/"version": "[^"]+"/, '"version": "27.1.0"'));
    expect(await headersOf()).toBe(before);
    writeFileSync(manifestPath, manifest);
    // Nor is it in the build: nothing could change with it.
    const { version } = JSON.parse(manifest) as { version: string };
    expect(readFileSync(join(installed(), 'dist', 'esm', current, 'index.js'), 'utf8')).not.toContain(
      version,
    );
  });

  itInLongRuns('passes publint and arethetypeswrong', async () => {
    expect(await packageProblems({ installed: installed(), tarball })).toEqual([]);
  });

  it.each([
    [deprecated, ''],
    [current, ''],
    [next, ''],
    [current, '/webhooks'],
  ])('stays within its size, minified and compressed: %s%s', async (version, subpath) => {
    write('entry.mjs', `export * from '@dateline/client/${version}${subpath}';`);
    const { output } = await build({
      input: join(project, 'entry.mjs'),
      write: false,
      output: { minify: true },
    });
    const bytes = gzipSync(output.map((part) => ('code' in part ? part.code : '')).join('')).length;
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(SIZE_MAX_BYTES);
  });

  it('is tree-shaken: a bundle contains only what it uses', async () => {
    write('entry.mjs', `export { NotFoundError } from '@dateline/client/${current}';`);
    const { output } = await build({ input: join(project, 'entry.mjs'), write: false });
    expect(output[0].code).toContain('NotFoundError');
    expect(output[0].code).not.toMatch(/\/v1\/|\bGoneError\b/);
  });

  describeInLongRuns('the examples of its README', () => {
    const examples = [
      ...readFileSync('client/README.md', 'utf8').matchAll(/```ts\n\/\/ ([\w-]+)\.ts\n([\s\S]*?)```/g),
    ];
    const names = examples.map(([, name]) => name as string);

    it('compile', () => {
      expect(names).toHaveLength(7);
      for (const [, name, text] of examples) write(`examples/${name}.ts`, text as string);
      const options = {
        outDir: join(project, 'examples', 'out'),
        rootDir: join(project, 'examples'),
        noEmit: false,
        allowImportingTsExtensions: false,
        types: ['node'],
      };
      expect(typeProblems(join(project, 'examples'), options)).toEqual([]);
    });

    it.each([
      ['list-products', /^found Support plan among \d+ or more\n$/],
      ['errors', /^no such product\n$/],
      ['tokens', /^organization with .*products:read/],
      ['webhooks', /^answered 204\n$/],
      ['publish-events', /^published order-17-created\n$/],
    ])('run: %s', async (name, output) => {
      expect(await run(`examples/out/${name}.js`)).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(output),
      });
    });

    itInLongRuns('run: the two resource servers', async () => {
      write(
        'examples/out/ask.mjs',
        `
import { Dateline } from '@dateline/client/${current}';
import { signWebhookForTest } from '@dateline/client/${current}/webhooks';
import { app as fastifyApp } from './fastify-server.js';
import { app as expressApp } from './express-server.js';
const { API_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, WEBHOOK_SECRET: secret } = process.env;
const client = new Dateline({ baseUrl, clientId, clientSecret });
const { access_token: token } = await client.oauth.token({ grant_type: 'client_credentials' });
const fastifyUrl = await fastifyApp.listen({ port: 0, host: '127.0.0.1' });
const server = await new Promise((done) => { const made = expressApp.listen(0, '127.0.0.1', () => done(made)); });
const expressUrl = 'http://127.0.0.1:' + server.address().port;
const status = async (url) => (await fetch(url + '/me', { headers: { authorization: 'Bearer ' + token } })).status;
const all = async () => console.log(await status(fastifyUrl), await status(expressUrl));
await all();
await client.oauth.revoke({ token });
await all();
const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))).toString('hex');
const webhook = await signWebhookForTest({ type: 'token.revoked', data: { token_sha256: digest }, secret });
console.log((await fetch(fastifyUrl + '/webhooks', { method: 'POST', ...webhook })).status);
await all();
process.exit(0);`,
      );
      const { status, stdout } = await run('examples/out/ask.mjs');
      // The server with a cache learns of the revocation by webhook.
      expect([status, stdout]).toEqual([0, '200 200\n200 401\n204\n401 401\n']);
    });
  });
});
