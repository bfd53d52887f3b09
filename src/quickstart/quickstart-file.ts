import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';

/** The contents of `quickstart.json`: all that a newcomer needs for the first calls. Its names are fixed. */
export interface Quickstart {
  production: { base_url: string; operator_key: string };
  sandbox: {
    base_url: string;
    operator_key: string;
    organization_id: string;
    client_id: string;
    client_secret: string;
    access_token: string;
    refresh_token: string;
    user_email: string;
    user_password: string;
  };
}

export function quickstartPath(dataDir: string): string {
  return join(dataDir, 'quickstart.json');
}

export function readQuickstart(path: string): Quickstart | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StartupError(
      `${path} cannot be read (${(error as Error).message}); give this user access to it.`,
    );
  }
  const parsed = parse(text);
  if (!parsed) throw new StartupError(`${path} is damaged; remove it, or restore it from a backup.`);
  return parsed;
}

/** Readable by its owner only, and replaced as a whole: a reader sees the old file or the new one. */
export function writeQuickstart(path: string, quickstart: Quickstart): void {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(quickstart, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

function parse(text: string): Quickstart | null {
  try {
    const value = JSON.parse(text) as Partial<Quickstart>;
    const whole =
      typeof value.production?.operator_key === 'string' && typeof value.sandbox?.operator_key === 'string';
    return whole ? (value as Quickstart) : null;
  } catch {
    return null;
  }
}
