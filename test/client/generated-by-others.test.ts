import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApiVersion } from '@dateline/versions';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { useJudges } from '../support/run/judges.ts';
import { typeProblems } from '../support/run/type-problems.ts';
import { current, maintained, next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

interface Generator {
  name: string;
  /** The program, and its arguments; `openapi.json` is in the folder in which it runs. */
  command(judge: (path: string) => string): string[];
  /** A file that it needs beside the document. */
  settings?: { name: string; text: string };
  /** What a user writes: `listed` answers with the names of organizations and with the version of the answer. */
  program(version: ApiVersion): string;
}

const generators: Generator[] = [
  {
    name: 'openapi-typescript',
    command: () => [
      resolve('tools/client-generator/node_modules/openapi-typescript/bin/cli.js'),
      'openapi.json',
      '-o',
      'api.ts',
    ],
    program: (version) => `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

export async function listed({ url, id, secret }: Record<string, string>): Promise<string> {
  const client = createClient<paths>({ baseUrl: url });
  const params = { header: { 'Service-Version': '${version}' } } as const;
  const { data: token } = await client.POST('/v1/oauth2/token', {
    params,
    body: { grant_type: 'client_credentials', client_id: id, client_secret: secret },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const { data, response } = await client.GET('/v1/organizations', {
    params,
    headers: { authorization: 'Bearer ' + token?.access_token },
  });
  const names: string[] = (data?.items ?? []).map(({ name }) => name);
  return names.join() + ' in ' + response.headers.get('service-version');
}
`,
  },
  {
    name: '@hey-api/openapi-ts',
    command: (judge) => [
      judge('@hey-api/openapi-ts/bin/run.js'),
      '-i',
      'openapi.json',
      '-o',
      'api',
      '--no-log-file',
    ],
    program: (version) => `
import { oauth2CreateToken, organizationsList } from './api';

const headers = { 'Service-Version': '${version}' } as const;

export async function listed({ id, secret }: Record<string, string>): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const { data: token } = await oauth2CreateToken({ headers, body });
  const { data, response } = await organizationsList({ headers, auth: token?.access_token });
  const names: string[] = (data?.items ?? []).map(({ name }) => name);
  return names.join() + ' in ' + response?.headers.get('service-version');
}
`,
  },
  {
    name: 'orval',
    command: (judge) => [judge('orval/dist/bin/orval.js'), '--config', 'orval.config.cjs'],
    settings: { name: 'orval.config.cjs', text: documented('js orval') },
    program: (version) => `
import { oauth2CreateToken, organizationsList } from './api';

const version = { 'Service-Version': '${version}' } as const;

export async function listed({ id, secret }: Record<string, string>): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const token = await oauth2CreateToken(body, version);
  if (token.status !== 200) throw new Error(String(token.status));
  const authorization = 'Bearer ' + token.data.access_token;
  const { data, headers } = await organizationsList(version, {}, { headers: { authorization } });
  const names: string[] = 'items' in data ? data.items.map(({ name }) => name) : [];
  return names.join() + ' in ' + headers.get('service-version');
}
`,
  },
];

// Three programs for each test, and each many times as slow on a busy machine.
const BUSY_MS = 240_000;

/** A block of docs/use-with.md. */
function documented(language: string): string {
  const [, rest = ''] = readFileSync('docs/use-with.md', 'utf8').split(`\n\`\`\`${language}\n`);
  const [block = ''] = rest.split('\n```');
  return block;
}

/** What people do who have their own generator: the document of a version, as it is served, is all that they get. */
describe('of a served document', { timeout: BUSY_MS }, () => {
  const judge = useJudges();
  const service = useTestService(anyEngine);
  let project: string;
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'dateline-generated-'));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  async function generate({ command, settings }: Generator, version: ApiVersion): Promise<string> {
    const folder = mkdtempSync(join(project, 'client-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const document = await service.call('sandbox', `/versions/${version}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    if (settings) writeFileSync(join(folder, settings.name), settings.text);
    execFileSync(process.execPath, command(judge), { cwd: folder, stdio: 'pipe' });
    return folder;
  }

  /** Compiled as for a bundler: what two of the generators write imports without extensions. */
  function problemsOf(folder: string, program: string): string[] {
    writeFileSync(join(folder, 'program.ts'), program);
    return typeProblems(folder, { module: 'ESNext', moduleResolution: 'Bundler' });
  }

  describe.each(generators)('$name makes a client that', (generator) => {
    itInLongRuns.each(maintained)(
      'speaks %s, and cannot be told another version or none',
      async (version) => {
        const folder = await generate(generator, version);
        expect(problemsOf(folder, generator.program(version))).toEqual([]);
        const file = join(folder, 'program.js');
        await build({ input: join(folder, 'program.ts'), output: { file }, logLevel: 'silent' });
        const { listed } = await import(file);
        const { client_id: id, client_secret: secret } = service.quickstart.sandbox;
        const answer = await listed({ url: service.urls.sandbox, id, secret });
        expect(answer).toBe(`Demo organization in ${version}`);
        const silent = generator.program(version).replace(`'Service-Version': '${version}'`, '');
        expect(problemsOf(folder, silent).join()).toMatch(/Service-Version/);
        const other = version === current ? next : current;
        expect(problemsOf(folder, generator.program(other)).join()).toContain(
          `"${other}"' is not assignable to type '"${version}"'`,
        );
      },
    );
  });
});
