import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chores } from '../../src/compose/background/chores.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { nodeChore } from '../../src/doctor/node-signs.ts';
import { startWorker } from '../../src/main.ts';
import { statement } from '../../src/storage/statement.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { databasesAt } from '../support/database/databases.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { type RunningTestService, startTestServiceOn } from '../support/service/test-service.ts';

interface Node {
  id: string;
  name: string;
  kind: string;
  state: string;
  [field: string]: unknown;
}

describe('the nodes that operators see', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let service: RunningTestService;
  let worker: Awaited<ReturnType<typeof startWorker>>;
  const secret = { DATELINE_SECRET_KEY: randomBytes(32).toString('base64') };
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-nodes-'));
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    service = await startTestServiceOn(databasesAt(database.url), secret);
    worker = await startWorker({
      config: loadConfig({ ...secret, DATELINE_DATA_DIR: dataDir, DATELINE_SHUTDOWN_SECONDS: '2' }),
      log: createLog('silent'),
      say() {},
      abort(reason) {
        throw new Error(reason);
      },
      clock: service.clock,
      openDatabase: databasesAt(database.url).open,
    });
  });
  afterAll(async () => {
    await worker?.stop();
    await service?.stop();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const nodes = async (): Promise<Node[]> => (await operatorCalls(service).get('/operator/nodes')).body.items;
  const workers = async (): Promise<Node[]> => (await nodes()).filter(({ kind }) => kind === 'worker');

  it('are those that serve and those that deliver, each with its build and its last sign', async () => {
    await expect
      .poll(async () => (await nodes()).map(({ kind }) => kind).sort())
      .toEqual(['serve', 'worker']);
    const [serving] = (await nodes()).filter(({ kind }) => kind === 'serve');
    const [delivering] = await workers();
    const now = service.clock.now().toISOString();
    const both = { state: 'live', live: true, started_at: now, seen_at: now, stopped_at: null };
    expect(serving).toMatchObject({ ...both, delivers: false, data_folder_id: expect.any(String) });
    expect(delivering).toMatchObject({ ...both, delivers: true, data_folder_id: null });
    expect(delivering?.build_id).toMatch(/^[0-9a-f]{12}$/);
    expect(delivering?.build_id).toBe(serving?.build_id);
    expect(delivering?.name).toMatch(new RegExp(`^\\S+ ${process.pid}$`));
    expect(delivering?.id).not.toBe(serving?.id);
  });

  it('are listed by the command line too', async () => {
    const { code, out } = await runCommandLine(['node', 'list'], operatorSettings(service));
    expect(code).toBe(0);
    expect(out).toMatch(/^name +kind +state +delivers +build_id +started_at +seen_at$/m);
    expect(out).toMatch(/^\S+ \d+ +worker +live +true +[0-9a-f]{12} /m);
  });

  it('stay there for a day after they have stopped, and say so; what is older is deleted', async () => {
    await worker.stop();
    expect(await workers()).toMatchObject([
      { state: 'stopped', live: false, stopped_at: expect.any(String) },
    ]);
    const sandbox = await service.database('sandbox');
    const age = `update {schema}.nodes set seen_at = seen_at - interval '25 hours' where kind = 'worker'`;
    await sandbox.run(statement('age_workers', age), []);
    expect(await workers()).toEqual([]);
    const removed = await sandbox.transaction((session) =>
      nodeChore.removeSome({ session } as never, service.clock.now(), null),
    );
    expect(chores).toContain(nodeChore);
    expect(removed.rows).toEqual({ nodes: 1 });
    expect(await nodes()).toMatchObject([{ kind: 'serve', state: 'live' }]);
  });

  it('include those of an older build, which leave sightings only', async () => {
    const sandbox = await service.database('sandbox');
    const note = statement(
      'note_older',
      `insert into {schema}.node_sightings (node_id, number, seen_at, about)
       values ('older', 1, $1, null) on conflict (node_id) do update set seen_at = $1`,
    );
    await sandbox.run(note, [service.clock.now()]);
    const older = async () => (await nodes()).find(({ id }) => id === 'older');
    expect(await older()).toMatchObject({ kind: 'serve', state: 'live', delivers: null, build_id: null });
    service.clock.advanceSeconds(15);
    expect(await older()).toMatchObject({ state: 'gone', live: false });
    expect((await nodes()).find(({ id }) => id !== 'older')?.state, 'the node that answers').toBe('live');
  });
});
