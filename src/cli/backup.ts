import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { loadConfig } from '../config/load-config.ts';
import { errorCode } from '../kernel/error-facts.ts';
import { InvalidBackupError, wholeBackup } from '../recovery/backup/backup-format.ts';
import { syncFolderOf, writeWhole } from '../recovery/backup/folder-entries.ts';
import { readBackupHeader } from '../recovery/backup/restore-backup.ts';
import type { CommandInput } from './command.ts';
import { CommandError } from './command-error.ts';

/** Writes what the service sends into a file that appears whole or not at all, readable by its owner only. */
export async function backUp(input: CommandInput): Promise<void> {
  const { argument: file, isSet, output, env } = input;
  if (loadConfig(env).databaseUrl !== null)
    throw new CommandError(
      'The data is on a PostgreSQL server (DATABASE_URL): back it up with pg_dump, or with pg_basebackup and archived WAL; docs/backup.md has the commands.',
    );
  if (existsSync(file) && !isSet('force'))
    throw new CommandError(`${file} is there already; name another file, or replace it with --force.`);
  // One that is cut off must not look like a backup, and one that is there must not suffer.
  const draft = `${file}.${randomUUID()}.unfinished`;
  try {
    await writeWhole(draft, wholeBackup(input.api('production').bytes('/operator/backup')));
    await rename(draft, file);
    await syncFolderOf(file);
  } catch (error) {
    throw asSentence(error, file);
  } finally {
    await rm(draft, { force: true });
  }
  const { madeAt, secretKeyId } = await readBackupHeader(file);
  output.item({ file, made_at: madeAt, bytes: (await stat(file)).size, secret_key_id: secretKeyId });
  output.note(
    `The secret key ${secretKeyId} is not in the file, and nothing can be restored without it: keep a copy of DATELINE_SECRET_KEY, or of secret.key in the data folder, in another place.`,
  );
}

function asSentence(error: unknown, file: string): unknown {
  if (error instanceof CommandError) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC') return new CommandError(`The disk of ${file} is full; no backup was made.`);
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR')
    return new CommandError(`${file} cannot be written (${code}).`);
  if (error instanceof InvalidBackupError || error instanceof TypeError)
    return new CommandError('The service did not send the whole backup; see its log. No file was written.');
  return error;
}
