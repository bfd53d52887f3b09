import { once } from 'node:events';
import { request } from 'node:http';
import { type Contract, contractDifferences } from '@dateline/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFolderContract } from '../../src/api/folder/folder-contract.ts';
import {
  type Reached,
  type Routes,
  reachedBy,
  startPythonUpstream,
} from '../support/folder/decoding-upstream.ts';
import { folderToken, useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const READ = 'reports:read';
const ADMIN = 'reports:admin';

/** Each by its path, and the scope that it needs. Those without parameters first. */
const operations: Readonly<Record<string, string>> = {
  '/reports': ADMIN,
  '/reports/secrets': ADMIN,
  '/reports/secrets/{part}': ADMIN,
  '/reports/{name}/secrets': ADMIN,
  '/reports/{name}': READ,
  '/files/{path}': READ,
  '/files/{path}/owner': ADMIN,
};
const routes: Routes = Object.keys(operations).map((path) => [path, path]);

const parameter = (name: string): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: string }${name === 'path' ? ', x-dateline-allow-slash: true' : ''} }`;
const pathItem = ([path, scope]: [string, string]): string => `
  ${path}:
    get:
      operationId: ${path.replaceAll(/\W+/g, '_').replace(/^_|_$/g, '')}
      security: [{ token: [${scope}] }]
      parameters: [${[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name)).join(', ')}]
      responses:
        "200": { description: Where it went., content: { application/json: { schema: { type: object } } } }`;
const contract = `
openapi: 3.1.0
info: { title: Targets, version: "${next}" }
paths:${Object.entries(operations).map(pathItem).join('')}
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
`;

describe('the target of a request to the upstream', () => {
  const seen: string[] = [];
  const service = useTestFolder({
    contract,
    scopes: [READ, ADMIN],
    upstream: (incoming, response) => {
      seen.push(incoming.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });
  let python: Awaited<ReturnType<typeof startPythonUpstream>>;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    python = await startPythonUpstream();
    for (const scope of [READ, `${READ} ${ADMIN}`]) tokens.set(scope, await folderToken(service, scope));
  });
  afterAll(() => python?.stop());

  /** Byte by byte, unlike `fetch`, which would mend the path. */
  async function ask(path: string, scope = READ): Promise<{ status: number; target: string | undefined }> {
    seen.length = 0;
    const headers = { authorization: `Bearer ${tokens.get(scope)}` };
    const sent = request(`${service.urls.sandbox}/`, { path, headers }).end();
    const [response] = await once(sent, 'response');
    await response.toArray();
    return { status: response.statusCode, target: seen[0] };
  }

  it('is the path of the operation, with the values of the parameters percent-encoded', async () => {
    expect(await ask('/reports/a%20b%3Bc%3Fd%23%C3%A9!')).toEqual({
      status: 200,
      target: '/reports/a%20b%3Bc%3Fd%23%C3%A9!',
    });
    expect(await ask('/reports/50%25')).toEqual({ status: 200, target: '/reports/50%25' });
    expect(await ask('/reports/a.b-c_d~e')).toEqual({ status: 200, target: '/reports/a.b-c_d~e' });
  });

  it('[outside2 3] [folder 22] is none for a parameter that is no segment of a path, in any encoding', async () => {
    const values = [
      '/',
      'a/b',
      'a\\b',
      '..',
      '.',
      '...',
      'a\0',
      '\0',
      '../x',
      'a/../b',
      'a\r\nb',
      ';',
      ';x=y',
      ' ',
      '. .',
    ];
    for (const value of values)
      for (const times of [1, 2, 3])
        expect([value, times, await ask(`/reports/${encoded(value, times)}`)]).toEqual([
          value,
          times,
          { status: 404, target: undefined },
        ]);
    for (const spelling of ['%252e%252E', '%2e%2e', '%25c0%25af', '%25u002f', '%2525252525252f'])
      expect([spelling, await ask(`/reports/${spelling}`)]).toEqual([
        spelling,
        { status: 404, target: undefined },
      ]);
  });

  it('[folder 22] holds an encoded slash where the contract allows that, and no other way out', async () => {
    expect(await ask('/files/a%2Fb%2fc')).toEqual({ status: 200, target: '/files/a%2Fb%2Fc' });
    for (const value of ['..', '../reports', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a\\b', 'a\0'])
      expect([value, await ask(`/files/${encoded(value, 1)}`)]).toEqual([
        value,
        { status: 404, target: undefined },
      ]);
    // To an upstream that decodes before it routes, that is another operation.
    expect(await ask('/files/a%2Fowner')).toEqual({ status: 404, target: undefined });
    expect(await ask('/files/a%2Fowner', `${READ} ${ADMIN}`)).toEqual({
      status: 200,
      target: '/files/a%2Fowner',
    });
  });

  it('[folder 22] shows a parameter that allows slashes as a difference of its contract', () => {
    const without = contract.replaceAll(', x-dateline-allow-slash: true', '');
    const differences = contractDifferences(contractOf(without), contractOf(contract));
    expect(differences).toEqual(['files_path.allowSlash', 'files_path_owner.allowSlash']);
    expect(() => contractOf(contract.replace('allow-slash: true', 'allow-slash: maybe'))).toThrow(
      'it must be true or false',
    );
  });

  it('[outside2 3] [folder 23] leads to no operation whose scope the token lacks, whatever the upstream makes of it', async () => {
    let forwarded = 0;
    for (const spelling of spellings()) {
      const { status, target } = await ask(spelling);
      if (target === undefined)
        expect([spelling, [400, 403, 404].includes(status)]).toEqual([spelling, true]);
      else {
        forwarded += 1;
        expect([spelling, beyond(await reachedAnyhow(target))]).toEqual([spelling, []]);
      }
    }
    expect(forwarded).toBeGreaterThan(20);
  });

  it('[folder 23] is found under every spelling by a token that may use both', async () => {
    for (const path of [
      '/reports/SECRETS',
      '/reports/secrets%2E',
      '/reports/secrets%3Bx=y',
      '/reports/%2573ecrets',
    ]) {
      expect((await ask(path)).status).toBe(404);
      expect((await ask(path, `${READ} ${ADMIN}`)).status).toBe(200);
    }
  });

  /** By Node in many ways, and by Python where it is there. */
  async function reachedAnyhow(target: string): Promise<Reached> {
    const byPython = python && reachedBy(routes, await python.read(target));
    return {
      ...reachedBy(routes, target),
      ...(byPython ? { python: byPython['as it is, and nothing else'] ?? null } : {}),
    };
  }

  function beyond(reached: Reached): string[] {
    return Object.entries(reached).flatMap(([how, operation]) =>
      operation !== null && operations[operation] !== READ ? [`${how}: ${operation}`] : [],
    );
  }
});

const contractOf = (text: string): Contract => readFolderContract(parse(text), 'next.yaml');

/** Every character that is neither a letter nor a digit, again and again. */
function encoded(value: string, times: number): string {
  const once = value.replaceAll(/[^A-Za-z0-9%]|%/g, (one) =>
    [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return times === 1 ? once : encoded(once, times - 1);
}

/** Ways to write addresses that some server takes for those of other operations. */
function spellings(): string[] {
  const names = [
    ...[
      'secrets',
      'SECRETS',
      'Secrets',
      '\u017fecrets',
      'secret\uff53',
      'secrets.',
      'secrets..',
      'secrets ',
      'secrets/',
      'secrets//',
    ],
    ...[
      'secrets;x=y',
      'secrets;',
      ';x=y',
      'secrets?x',
      'secrets#x',
      'secrets\0',
      'secrets.json',
      'secrets/.',
      './secrets',
      '../reports',
    ],
    ...[
      'a/secrets',
      'a\\secrets',
      'a/../secrets',
      'a%2Fsecrets',
      'secrets/a',
      '..;/secrets',
      'a;/secrets',
      '',
      '.',
      '/',
      'a',
    ],
    ...['a/owner', 'a/OWNER', 'owner', 'a/owner;x', '../reports/secrets'],
  ];
  const all = names.flatMap((name) => [
    name.replaceAll(/[^!-~]|[%?#]/gu, encodeURIComponent),
    ...[1, 2, 3].map((times) => encoded(name, times)),
    [...Buffer.from(name)].map((byte) => `%${byte.toString(16)}`).join(''),
    [...Buffer.from(name)].map((byte) => `%25${byte.toString(16).toUpperCase()}`).join(''),
  ]);
  return [...new Set(all)].flatMap((name) => [
    `/reports/${name}`,
    `/reports/${name}/`,
    `/reports/a/${name}`,
    `/files/${name}`,
  ]);
}
