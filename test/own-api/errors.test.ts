import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { copyOrders, edit } from '../support/folder/orders-folder.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { thingsFolder } from '../support/folder/things-folder.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { tokenWith } from '../support/oauth/token-with.ts';
import { firstOf } from '../support/run/in-long-runs.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

describe('errors that Dateline answers for an API folder', () => {
  const folder = thingsFolder({ errors: true });
  const forwarded = new EventEmitter();
  const service = useTestFolder({
    ...folder,
    upstream(request, response) {
      folder.upstream(request, response);
      forwarded.emit(String(request.url));
    },
  });
  const versions = [deprecated, current, next];

  interface Ask extends RequestInit {
    token?: string | null;
    headers?: Record<string, string>;
  }

  async function ask(version: string, path: string, { token, headers, ...init }: Ask = {}) {
    const bearer = token === undefined ? service.quickstart.sandbox.access_token : token;
    const answered = await service.call('sandbox', path, {
      ...init,
      headers: {
        'service-version': version,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await answered.text();
    const body = text === '' ? null : JSON.parse(text);
    return { status: answered.status, headers: answered.headers, body };
  }

  /** Sends what no HTTP client would. */
  async function rawAsk(version: string, path: string, header: string): Promise<Answered> {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `service-version: ${version}`,
      'connection: close',
    ];
    const text = await sendRaw(service.urls.sandbox, `${[...lines, header].join('\r\n')}\r\n\r\n`);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [first = '', ...rest] = head.split('\r\n');
    const headers = new Headers(rest.map((line) => line.split(/: (.*)/, 2) as [string, string]));
    return {
      status: Number(first.split(' ')[1]),
      headers,
      body: JSON.parse(/{.*}/.exec(body)?.[0] ?? 'null'),
    };
  }

  type Answered = Awaited<ReturnType<typeof ask>>;

  /** The error in the form of its version; throws where it has another one. */
  function errorIn(version: string, { status, headers, body }: Answered) {
    const error = version === next ? body.error : body;
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(version === next ? body : { error })).toEqual(['error']);
    expect(error).toMatchObject({ message: expect.any(String), request_id: headers.get('x-request-id') });
    expect(Object.keys(error)).not.toContain('detail');
    return [status, error.code];
  }

  it.each(versions)('[folder 30] have the form of the API, in %s', async (version) => {
    const told = async (path: string, init?: Ask) => errorIn(version, await ask(version, path, init));
    const write = (body: string, headers?: Record<string, string>) =>
      told('/things/1', { method: 'PUT', body, ...(headers && { headers }) });
    expect(await told('/things/1', { token: null })).toEqual([401, 'unauthorized']);
    const lacking = { method: 'PUT', body: '{"name":"a"}', token: await tokenWith(service, ['things:read']) };
    expect(await told('/things/1', lacking)).toEqual([403, 'insufficient_scope']);
    expect(await told('/things/a%2Fb')).toEqual([404, 'not_found']);
    expect(await write(`{"name":"${'x'.repeat(2_000)}"}`)).toEqual([413, 'payload_too_large']);
    expect(await write('<a/>', { 'content-type': 'text/xml' })).toEqual([415, 'unsupported_media_type']);
    expect(await write('{')).toEqual([400, 'invalid_request']);
    expect(await told('/things/often')).toEqual([429, 'too_many_requests']);
    expect(await told('/things/locked')).toEqual([409, 'thing:locked']);
    expect(await told('/things/1')).toEqual([502, 'upstream_contract']);
    expect(await told('/things/broken')).toEqual([502, 'upstream_failed']);
    // An operation that declares no errors has the form that the folder names.
    expect(await told('/open')).toEqual([502, 'upstream_contract']);
  });

  it.each(firstOf(versions, 1))(
    '[folder 30] have it while an upstream takes too long, in %s',
    async (version) => {
      const told = async (path: string) => errorIn(version, await ask(version, path));
      const isWaiting = once(forwarded, '/things/slow');
      const slow = told('/things/slow');
      await isWaiting;
      // One more than a client may have in flight.
      expect(await told('/things/slow')).toEqual([503, 'upstream_unavailable']);
      expect(await slow).toEqual([504, 'upstream_timeout']);
    },
  );

  it.each(versions)(
    '[folder 30] have its status for invalid requests, and say what is wrong, in %s',
    async (version) => {
      const wrong = await ask(version, '/things/1', { method: 'PUT', body: '{"size":"big"}' });
      expect(errorIn(version, wrong)).toEqual([400, 'validation_failed']);
      const { fields } = version === next ? wrong.body.error : wrong.body;
      expect(fields).toEqual(['body /name is missing', 'body /size must be integer']);
      const query = await ask(version, '/open?limit=x');
      expect(errorIn(version, query)).toEqual([400, 'validation_failed']);
    },
  );

  it.each(versions)(
    '[folder 30] have it where no operation is, and before one is found, in %s',
    async (version) => {
      for (const path of ['/things', '/things/1/2', '/nothing'])
        expect(errorIn(version, await ask(version, path))).toEqual([404, 'not_found']);
      const method = await ask(version, '/things/1', { method: 'DELETE' });
      expect(errorIn(version, method)).toEqual([405, 'method_not_allowed']);
      expect(method.headers.get('allow')).toContain('PUT');
      const expecting = await rawAsk(version, '/things/1', 'expect: nothing');
      expect(errorIn(version, expecting)).toEqual([417, 'expectation_failed']);
    },
  );

  it('[folder 30] keep their headers, and nothing in them runs', async () => {
    const { headers } = await ask(next, '/things/1', { token: null });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="dateline"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await ask(next, '/things/often')).headers.get('retry-after')).toBe('7');
    expect((await ask(next, '/things/slow')).headers.get('retry-after')).toBe('1');
    for (const path of ['/things/1', '/nothing'])
      expect((await ask(next, path, { token: null })).headers.get('content-security-policy')).toContain(
        'sandbox',
      );
  });

  it('[folder 30] stay as they are where they are no errors of the API', async () => {
    for (const [version, reason] of [
      ['2020-01', 'removed'],
      ['x', 'malformed'],
    ] as const) {
      const { status, body } = await ask(version, '/things/1');
      expect([status, body]).toMatchObject([404, { error: 'version_not_found', reason }]);
    }
    const token = await ask(current, '/v1/oauth2/token', { method: 'POST', token: null });
    expect(Object.keys(token.body)).toEqual(['error', 'error_description']);
    for (const path of ['/v1/oauth2/nothing', '/docs/nothing/here', '/operator/nothing'])
      expect((await ask(current, path)).body).toMatchObject({
        error: expect.any(String),
        detail: expect.any(String),
      });
  });

  it.each(versions)(
    '[folder 30] are told in the form of Dateline where errors.mjs fails, logged and counted, in %s',
    async (version) => {
      const before = await failures();
      for (const name of ['throws', 'lies']) {
        const body = JSON.stringify({ name: 'a', [name]: 'x' });
        const { status, headers, body: told } = await ask(version, '/things/1', { method: 'PUT', body });
        expect([status, told.code ?? told.error]).toEqual([422, 'validation_failed']);
        expect(headers.get('content-type')).toContain(
          version === next ? 'application/problem+json' : 'application/json',
        );
      }
      expect(await failures()).toBe(before + 2);
      expect(
        service.logLines.some((line) => line.includes('errors.mjs failed') && line.includes('it throws')),
      ).toBe(true);
    },
  );

  async function failures(): Promise<number> {
    const metrics = await (await service.operate('sandbox', '/metrics')).text();
    const line = metrics.split('\n').find((one) => /^dateline_folder_error_failures_total/.test(one));
    return Number(line?.split(' ').at(-1));
  }
});

describe('errors.mjs of an API folder', () => {
  const ERROR = `
    Problem:
      type: object
      required: [code, text]
      additionalProperties: false
      properties: { code: { type: string }, text: { type: string } }
`;
  const good =
    "export const schema = 'Problem'; export default ({ code, detail }) => ({ body: { code, text: detail } });";

  function withErrors(text: string): string {
    const folder = copyOrders();
    edit(folder, 'contract/next.yaml', (yaml) =>
      yaml.replace('components:\n', `components:\n  schemas:${ERROR}`),
    );
    writeFileSync(join(folder, 'errors.mjs'), text);
    return folder;
  }
  const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);
  const answering = (made: string) => good.replace('({ body: { code, text: detail } })', made);

  it('[folder 30] is checked with an error of each kind for every operation', async () => {
    expect(await check(withErrors(good))).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'throws',
      answering("{ throw new Error('no words for ' + code); }"),
      /upstream_timeout \(504\) of .*orders:list.*no words for upstream_timeout/,
    ],
    [
      'throws for one kind',
      answering(
        "{ if (code === 'uri_too_long') throw new Error('no'); return { body: { code, text: detail } }; }",
      ),
      /^errors\.mjs: uri_too_long \(414\) of orders:list, orders:create, .* cannot be answered in 2027-01: no\.$/m,
    ],
    [
      'writes what its schema does not have',
      answering('({ body: { code, words: detail } })'),
      /invalid_request \(400\), not_found \(404\), .* of orders:list, .*: the body must have required properties text/,
    ],
    ['writes no body', answering('({})'), /it must return an object with a body/],
    [
      'is asynchronous',
      good.replace('default (', 'default async ('),
      /it must return an object with a body, and no promise/,
    ],
    [
      'changes another status',
      answering('({ body: { code, text: detail }, status: 400 })'),
      /the status is 401; only that of invalid requests can be another one: 400 or 422/,
    ],
    [
      'has no media type',
      answering("({ body: 'x', contentType: 'text' })"),
      /contentType must be a media type/,
    ],
    ['is no function', 'export default {};', /errors\.mjs: it must export a function/],
    ['cannot be loaded', 'export default (;', /errors\.mjs:1:17: it cannot be loaded/],
    [
      'names a schema that is not there',
      good.replace("'Problem'", "'Nothing'"),
      /errors\.mjs: schema: contract\/next\.yaml has no Nothing among the schemas/,
    ],
    [
      'has no form for some statuses',
      good.replace("export const schema = 'Problem';", ''),
      /contract\/next\.yaml has no form for 400, 401, 403, .*504 of orders:list, .*: declare those statuses/,
    ],
  ])('[folder 30] is refused where it %s', async (_what, text, problem) => {
    const { code, err } = await check(withErrors(text));
    expect([code, err.replace('dateline: ', '')]).toEqual([1, expect.stringMatching(problem)]);
    expect(err).not.toMatch(/\bat .*\.ts:\d+/);
  });

  it('[folder 30] may be edited for as long as frozen versions answer the same errors', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-errors-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    edit(folder, 'contract/next.yaml', (yaml) => yaml.replace('  schemas:\n', `  schemas:${ERROR}`));
    const write = (text: string) => writeFileSync(join(folder, 'errors.mjs'), text);
    write(good);
    expect(await runCommandLine(['contract', 'found', '--api', folder])).toMatchObject({ code: 0 });
    expect(await check(folder)).toMatchObject({ code: 0 });
    write(good.replace('=> (', '=> /* in other words */ ('));
    expect(await check(folder)).toMatchObject({ code: 0 });
    write(good.replace('body: { code,', 'body: { code: code.toUpperCase(),'));
    const edited = await check(folder);
    expect([edited.code, edited.err]).toEqual([
      1,
      expect.stringMatching(
        /2026-07\/tape\.json: "the error \w+ of no operation in 2026-07" answer\.body\.code: it was changed by an edit of errors\.mjs .*, and so were \d+ more errors; .*never changes/,
      ),
    ]);
    rmSync(join(folder, 'errors.mjs'));
    expect((await check(folder)).err).toContain(
      'errors.mjs was removed; what frozen versions answer never changes',
    );
  });
});
