import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OpenApiDocument } from '@dateline/versions';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { documentOf } from '../support/contracts/served-documents.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { maintained, next } from '../support/service/build-versions.ts';

// They refuse example.com.
const ISSUER = 'http://127.0.0.1:4001';

interface Redocly {
  problems: { ruleId: string; message: string }[];
}

describe('linters find no fault with the document, by their recommended rules', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dateline-documents-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function redocly(document: OpenApiDocument): Promise<string[]> {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const program = resolve('node_modules/@redocly/cli/bin/cli.js');
    // It would tell its makers of the run, and ask whether there is a newer release.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [program, 'lint', 'openapi.json', '--extends=recommended', '--format=json'];
    return new Promise((done, fail) => {
      execFile(process.execPath, args, { cwd: folder, env }, (_failed, stdout, stderr) => {
        try {
          const { problems } = JSON.parse(stdout) as Redocly;
          done(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`));
        } catch {
          fail(new Error(stdout + stderr));
        }
      });
    });
  }

  async function ofSpectral(document: OpenApiDocument): Promise<string[]> {
    // Loaded when it is needed: it takes seconds.
    const { default: spectral } = await import('@stoplight/spectral-core');
    const { default: rulesets } = await import('@stoplight/spectral-rulesets');
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
    const problems = await linter.run(document);
    return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`);
  }

  itInLongRuns.each(maintained)('Redocly: %s', async (version) => {
    expect(await redocly(documentOf(version, ISSUER))).toEqual([]);
  });

  itInLongRuns.each(maintained)('Spectral: %s', async (version) => {
    expect(await ofSpectral(documentOf(version, ISSUER))).toEqual([]);
  });

  itInLongRuns('and would report one: an operation that is not described', async () => {
    const { paths, ...rest } = documentOf(next, ISSUER);
    const [path, item] = Object.entries(paths as object)[0] as [string, { post: object }];
    const broken = { ...rest, paths: { [path]: { post: { ...item.post, description: '', responses: {} } } } };
    expect(await redocly(broken)).not.toEqual([]);
    expect(await ofSpectral(broken)).not.toEqual([]);
  });
});
