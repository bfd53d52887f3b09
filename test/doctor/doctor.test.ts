import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { createPostgresDatabase, runAdminCommand } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { postForm } from '../support/oauth/oauth-nodes.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';
import { startTestService, useTestService } from '../support/service/test-service.ts';

type Row = Readonly<Record<'check' | 'state' | 'message', string>>;

async function doctor(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; rows: Row[] }> {
  const { code, out } = await runCommandLine(['doctor', '--json', ...args], env);
  return { code, rows: JSON.parse(out) };
}
const found = (rows: readonly Row[], check: string) => rows.find((row) => row.check === check);

describe('dateline doctor', () => {
  const service = useTestService(anyEngine);

  it('[outside 21] looks at configuration, service, database, clock, keys, addresses, backups, deliveries and nodes', async () => {
    const { code, rows } = await doctor(operatorSettings(service));
    expect(rows.map(({ check }) => check)).toEqual([
      'configuration',
      'service',
      'database',
      'clock',
      'keys',
      'addresses',
      'backups',
      'deliveries',
      'nodes',
    ]);
    expect(rows.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(code).toBe(0);
    expect(found(rows, 'database')?.message).toMatch(/PostgreSQL [\d.]+.* answers in [\d.]+ ms\.$/);
    expect(found(rows, 'addresses')?.message).toBe(`The issuer is ${service.urls.sandbox}.`);
  });

  it('[outside 21] ends with 1 and one sentence where something is wrong', async () => {
    const wrong = await doctor({ DATELINE_PORT: 'http' });
    expect(wrong).toEqual({
      code: 1,
      rows: [
        {
          check: 'configuration',
          state: 'problem',
          message: 'DATELINE_PORT must be a whole number from 0 to 65535; "http" is not.',
        },
      ],
    });
    const away = await doctor({ DATELINE_SANDBOX_PORT: String(await freePort()) });
    expect([away.code, found(away.rows, 'service')?.message]).toEqual([
      1,
      expect.stringMatching(/^No service answers at http:\/\/127\.0\.0\.1:\d+; start it/),
    ]);
    const keyless = await doctor({
      ...operatorSettings(service),
      DATELINE_SANDBOX_OPERATOR_KEY: 'x'.repeat(40),
    });
    expect(found(keyless.rows, 'database')?.message).toContain('operator key for sandbox is not accepted');
  });
});

describe('a restored backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-restored-'));
  const started: SpawnedDateline[] = [];
  afterAll(async () => {
    for (const { child, exit } of started) {
      child.kill('SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('is looked for as soon as a node runs, which says once where it cannot store what it saw', async () => {
    const unwritable = join(folder, 'unwritable');
    mkdirSync(join(unwritable, 'last-seen.json'), { recursive: true });
    const service = await startTestService(anyEngine, { DATELINE_DATA_DIR: unwritable });
    // It ends after the look that it began with.
    await service.stop();
    const said = service.logLines.filter((line) => line.includes('sighting of the database not stored'));
    expect(said.map((line) => JSON.parse(line).environment).sort()).toEqual(['production', 'sandbox']);
  });

  itInLongRuns(
    '[outside 21] is noticed by a node that saw more, until the tokens that live again are revoked',
    async () => {
      const server = inject('postgresUrl');
      const database = await createPostgresDatabase({ migrated: true });
      const name = new URL(database.url).pathname.slice(1);
      const backup = `${name}_backup`;

      async function start() {
        const env = { DATABASE_URL: database.url, DATELINE_DATA_DIR: folder, DATELINE_LOG_LEVEL: 'error' };
        const node = spawnDateline(['serve'], { env });
        started.push(node);
        const { sandbox: url } = await node.ready();
        const { client_id, client_secret, operator_key } = JSON.parse(
          readFileSync(join(folder, 'quickstart.json'), 'utf8'),
        ).sandbox;
        // Once it has looked, it says so in its folder.
        await expect.poll(() => readFileSync(join(folder, 'last-seen.json'), 'utf8')).toContain('"sandbox":');
        return {
          node,
          call: (path: string, form: Record<string, string>) =>
            postForm(url, path, { client_id, client_secret, ...form }),
          settings: { DATELINE_SANDBOX_PUBLIC_URL: url, DATELINE_SANDBOX_OPERATOR_KEY: operator_key },
          async stop() {
            node.child.kill('SIGTERM');
            expect(await node.exit).toBe(0);
          },
        };
      }

      const first = await start();
      const token = (await first.call('token', { grant_type: 'client_credentials' }))?.body.access_token;
      const backups = async (settings: Record<string, string>) =>
        found((await doctor(settings)).rows, 'backups');
      expect(await backups(first.settings)).toMatchObject({ state: 'ok' });
      await first.stop();
      await runAdminCommand(server, `create database ${backup} template ${name}`);

      const second = await start();
      expect((await second.call('revoke', { token }))?.status).toBe(200);
      expect((await second.call('introspect', { token }))?.body).toEqual({ active: false });
      await second.stop();
      await runAdminCommand(server, `drop database ${name}`);
      await runAdminCommand(server, `create database ${name} template ${backup}`);

      const third = await start();
      expect((await third.call('introspect', { token }))?.body.active).toBe(true);
      await expect.poll(() => backups(third.settings)).toMatchObject({ state: 'problem' });
      const { message } = (await backups(third.settings)) as Row;
      expect(third.node.stderr()).toContain('a backup was restored');
      const command = /run "dateline (token revoke --issued-before \S+ --yes)"\.$/.exec(message)?.[1] ?? '';
      expect((await runCommandLine(command.split(' '), third.settings)).code).toBe(0);
      expect((await third.call('introspect', { token }))?.body).toEqual({ active: false });
      expect(await backups(third.settings)).toMatchObject({ state: 'ok' });
      await third.stop();
      await runAdminCommand(server, `drop database ${backup}`);
      await database.drop();
    },
    180_000,
  );
});
