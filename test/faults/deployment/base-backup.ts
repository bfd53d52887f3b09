import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { makeOwned, type PostgresInstance, SUPERUSER } from './postgres-instance.ts';
import { postgresPrograms } from './postgres-programs.ts';

const run = promisify(execFile);

/**
 * Fills the folder of a server from a running one, as `pg_basebackup` does, which the package lacks: the files while they are
 * written to, and the label that makes them a backup. What was not flushed to the folder is in the write-ahead log.
 */
export async function backUpInto(from: PostgresInstance, to: PostgresInstance): Promise<void> {
  const { owner } = await postgresPrograms();
  const { name: user, password } = SUPERUSER;
  const session = new pg.Client({ host: '127.0.0.1', port: from.port, user, password, database: 'postgres' });
  session.on('error', () => {});
  await session.connect();
  try {
    await session.query("select pg_backup_start('faults', true)");
    rmSync(to.folder, { recursive: true, force: true });
    makeOwned(to.folder, owner);
    // A file that is gone before it was copied makes `cp` fail, and is no matter.
    await run('cp', ['-a', `${from.folder}/.`, to.folder]).catch(() => {});
    const { rows } = await session.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
      rmSync(join(to.folder, name), { force: true });
    const label = join(to.folder, 'backup_label');
    writeFileSync(label, rows[0]?.labelfile ?? '');
    if (owner.uid !== undefined) await run('chown', [`${owner.uid}:${owner.gid}`, label]);
  } finally {
    await session.end().catch(() => {});
  }
}

/** Has a server follow another one, that it reaches by this port. */
export async function follow(standby: PostgresInstance, throughPort: number): Promise<void> {
  const { owner } = await postgresPrograms();
  const { name, password } = SUPERUSER;
  const through = `host=127.0.0.1 port=${throughPort} user=${name} password=${password} application_name=${standby.name} connect_timeout=2`;
  const settings = `primary_conninfo = '${through}'\nrecovery_target_timeline = 'latest'\n`;
  const files = { 'standby.signal': '', 'postgresql.auto.conf': settings };
  for (const [file, text] of Object.entries(files)) {
    const path = join(standby.folder, file);
    writeFileSync(path, text);
    if (owner.uid !== undefined) await run('chown', [`${owner.uid}:${owner.gid}`, path]);
  }
}
