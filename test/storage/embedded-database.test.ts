import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { environmentNames } from '../../src/environments/environment.ts';
import { makeDatabaseFolder } from '../../src/storage/blank-database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { databaseOpener, schemaOf } from '../../src/storage/open-database.ts';
import { openPGlite } from '../../src/storage/pglite.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { builtBlank, readBuiltBlank } from '../support/database/built-blank.ts';

const PING = statement('ping', 'select 1 as one');

describe('the embedded database', () => {
  it('is shared by the environments, and closed with the last handle on it', async () => {
    const embedded = await openPGlite({ folder: null, dump: readBuiltBlank() });
    const [production, sandbox] = [embedded.database('one'), embedded.database('other')];
    await sandbox.transaction(async (session) => {
      await session.run(PING, []);
      const waiting = production.run(PING, []);
      await session.run(PING, []);
      expect(production.poolUse()).toEqual({ total: 1, idle: 0, waiting: 0 });
      return { waiting };
    });
    await production.close();
    await production.close();
    await expect(production.run(PING, [])).rejects.toBeInstanceOf(StorageUnavailableError);
    await expect(production.transaction(async () => {})).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(await sandbox.run(PING, [])).toEqual([{ one: 1 }]);
    await sandbox.close();
    await expect(sandbox.run(PING, [])).rejects.toBeInstanceOf(StorageUnavailableError);
    await expect(embedded.dump()).rejects.toThrow('closed');
  });

  it('begins with the schemas of both environments as this build migrates them', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'dateline-blank-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const folder = join(parent, 'database');
    await makeDatabaseFolder(folder, builtBlank);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'PG_VERSION')).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    const embedded = await openPGlite({ folder });
    const databases = environmentNames.map((name) => embedded.database(schemaOf(name)));
    for (const database of databases) expect(await migrate(database, migrations)).toEqual([]);
    for (const database of databases) await database.close();
    const written = statSync(join(folder, 'PG_VERSION')).mtimeMs;
    await makeDatabaseFolder(folder, builtBlank);
    expect(statSync(join(folder, 'PG_VERSION')).mtimeMs).toBe(written);
  });

  it.each(['production', 'sandbox'])(
    'refuses a data folder with a database of its own for %s, and leaves it as it is',
    async (environment) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'dateline-former-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true }));
      mkdirSync(join(dataDir, environment));
      writeFileSync(join(dataDir, environment, 'PG_VERSION'), '17\n');
      const open = databaseOpener({ databaseUrl: null, dataDir, poolMax: 1, onError() {} });
      await expect(open('sandbox')).rejects.toThrow(
        `The data folder ${dataDir} has the layout of an earlier Dateline, with an embedded database for each environment; start the version that made it`,
      );
      expect(readdirSync(dataDir, { recursive: true }).sort()).toEqual([
        environment,
        join(environment, 'PG_VERSION'),
      ]);
      expect(readFileSync(join(dataDir, environment, 'PG_VERSION'), 'utf8')).toBe('17\n');
    },
  );
});
