import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ApiVersion } from '@dateline/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientCall } from '../../src/contracts/client-calls.ts';
import { readReference } from '../../src/http/site/reference/read-reference.ts';
import type { CallSample } from '../../src/http/site/reference/reference.ts';
import { documentOf } from '../support/contracts/served-documents.ts';
import { anyEngine, isFullMatrix } from '../support/database/databases.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { maintained } from '../support/service/build-versions.ts';
import { callEveryOperation } from '../support/service/documented-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

type Language = CallSample['language'];
const run = promisify(execFile);
/** Each sample is a process, and there are forty. */
const BUSY_MS = 240_000;

describe('samples of the API reference', () => {
  const service = useTestService(anyEngine);
  let folder: string;
  let python = '';
  beforeAll(() => {
    // Below node_modules, where the samples find the client.
    folder = mkdtempSync(resolve('node_modules/.samples-'));
    if (isFullMatrix) execFileSync(process.execPath, ['client/build.mjs'], { stdio: 'pipe' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function samplesOf(version: ApiVersion): Map<string, CallSample[]> {
    const url = service.urls.sandbox;
    const setting = { url, version, tokenName: 'TOKEN', callOf: clientCall };
    const { groups } = readReference(documentOf(version, url), setting);
    return new Map(groups.flatMap(({ operations }) => operations.map(({ id, samples }) => [id, samples])));
  }

  /** Runs a sample as it is shown, and returns the body that it prints. */
  const runs: Readonly<Record<Language, (code: string, env: NodeJS.ProcessEnv) => Promise<string>>> = {
    async curl(code, env) {
      return (await run('bash', ['-c', `${code} -sS --fail-with-body`], { env })).stdout;
    },
    async client(code, env) {
      const file = join(folder, 'sample.mjs');
      writeFileSync(file, code.replace('console.log(answer)', 'console.log(JSON.stringify(answer))'));
      return (await run(process.execPath, [file], { env })).stdout;
    },
    async python(code, env) {
      const { stdout } = await run(python, ['-c', code], { env });
      expect(stdout).toMatch(/^[23]\d\d/);
      return stdout.slice('200 '.length);
    },
  };

  async function runEvery(language: Language, version: ApiVersion): Promise<void> {
    const samples = samplesOf(version);
    const { client_id, client_secret } = service.quickstart.sandbox;
    await callEveryOperation(service, version, async ({ operation, bearer, fillIn }) => {
      const sample = samples.get(operation.id)?.find((one) => one.language === language);
      if (!sample) {
        expect(clientCall(operation.id)).toBeNull();
        return '{}';
      }
      const own = { TOKEN: bearer, REGISTRATION_TOKEN: bearer };
      const env = { PATH: process.env.PATH, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, ...own };
      return runs[language](fillIn(sample.code), env);
    });
  }

  it('are there for every operation, in each language that can call it', () => {
    for (const version of maintained)
      for (const [id, samples] of samplesOf(version)) {
        const languages = samples.map(({ language }) => language);
        const expected = clientCall(id) === null ? ['curl', 'python'] : ['curl', 'client', 'python'];
        // Browsers go there, not programs.
        if (id.endsWith('authorize')) expect(languages).toEqual([]);
        else expect([version, id, languages]).toEqual([version, id, expected]);
      }
  });

  itInLongRuns.each(maintained)(
    'run as they are shown in %s: curl',
    (version) => runEvery('curl', version),
    BUSY_MS,
  );
  itInLongRuns.each(maintained)(
    'run as they are shown in %s: the client',
    (version) => runEvery('client', version),
    BUSY_MS,
  );
  describeInLongRunsWith('pythonRequests', 'in Python', (interpreter) => {
    python = interpreter;
    itInLongRuns.each(maintained)(
      'run as they are shown in %s',
      (version) => runEvery('python', version),
      BUSY_MS,
    );
  });
});
