import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { current, deprecated } from '../support/service/build-versions.ts';
import { spawnDateline } from '../support/service/spawn-dateline.ts';

describeInLongRuns('the README of a new API folder', () => {
  it('has commands that work as they stand', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-readme-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    const text = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(text).toContain('```sh start\nnode upstream.mjs 7101\nnpx dateline serve\n```');
    const blocks = [...text.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
    expect(blocks).toHaveLength(3);
    const { url, drop } = await createPostgresDatabase({ migrated: true });
    const port = await freePort();
    const upstream = spawn(process.execPath, ['upstream.mjs', String(port)], {
      cwd: folder,
      stdio: 'ignore',
    });
    const env = { DATABASE_URL: url, ORDERS_SANDBOX_UPSTREAM: `http://127.0.0.1:${port}` };
    const service = spawnDateline(['serve'], { cwd: folder, env });
    onTestFinished(async () => {
      upstream.kill('SIGKILL');
      service.child.kill('SIGTERM');
      await service.exit;
      await drop();
    });
    const { sandbox, production } = await service.ready();
    const script = blocks
      .join('\n')
      .replaceAll('curl -s ', 'curl -sf ')
      .replaceAll('http://127.0.0.1:4001', sandbox)
      .replaceAll('npx dateline', `node ${resolve('bin/dateline.mjs')}`);
    const ports = { DATELINE_PORT: new URL(production).port, DATELINE_SANDBOX_PORT: new URL(sandbox).port };
    const output = await new Promise<string>((done, fail) => {
      const shell = { cwd: folder, env: { ...process.env, ...ports } };
      execFile('bash', ['-euo', 'pipefail', '-c', script], shell, (error, stdout, stderr) =>
        error ? fail(new Error(stdout + stderr)) : done(stdout + stderr),
      );
    });
    expect(output).toContain('"item":"Umbrella"');
    expect(output).toContain(`${deprecated} and ${current} are now copies of Next`);
  });
});
