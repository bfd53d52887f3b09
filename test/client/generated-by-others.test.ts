import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApiVersion } from '@dateline/versions';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { current, maintained, next } from '../support/build-versions.ts';
import { anyEngine } from '../support/databases.ts';
import { itInLongRuns } from '../support/in-long-runs.ts';
import { useTestService } from '../support/test-service.ts';
import { typeProblems } from '../support/type-problems.ts';

const generator = resolve('tools/client-generator/node_modules/openapi-typescript/bin/cli.js');

/** What people do who have their own generator: the document of a version, as it is served, is all that they get. */
describe('a client that openapi-typescript makes of a served document', () => {
  const service = useTestService(anyEngine);
  let project: string;
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'dateline-generated-'));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  async function generate(version: ApiVersion): Promise<string> {
    const folder = join(project, version);
    mkdirSync(folder);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const document = await service.call('sandbox', `/versions/${version}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    execFileSync(process.execPath, [generator, 'openapi.json', '-o', 'api.ts'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return folder;
  }

  const program = (version: ApiVersion): string => `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

export async function listed(baseUrl: string, token: string): Promise<string> {
  const client = createClient<paths>({ baseUrl });
  const { data, response } = await client.GET('/v1/organizations', {
    params: { header: { 'Service-Version': '${version}' } },
    headers: { authorization: 'Bearer ' + token },
  });
  const names: string[] = (data?.items ?? []).map(({ name }) => name);
  return names.join() + ' in ' + response.headers.get('service-version');
}
`;

  const emitting = { noEmit: false, allowImportingTsExtensions: false };

  itInLongRuns.each(maintained)('speaks %s, and cannot be told another version', async (version) => {
    const folder = await generate(version);
    writeFileSync(join(folder, 'program.ts'), program(version));
    expect(typeProblems(folder, emitting)).toEqual([]);
    const { listed } = await import(join(folder, 'program.js'));
    const { access_token: token } = service.quickstart.sandbox;
    expect(await listed(service.urls.sandbox, token)).toBe(`Demo organization in ${version}`);
    const other = version === current ? next : current;
    writeFileSync(join(folder, 'program.ts'), program(other));
    expect(typeProblems(folder).join()).toContain(`"${other}"' is not assignable to type '"${version}"'`);
  });
});
