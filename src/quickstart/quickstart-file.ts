import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode, errorMessage } from '../kernel/error-facts.ts';
import { makeDataFolder } from '../storage/data-folder.ts';

/**
 * The contents of `quickstart.json`: everything needed for the first calls. Its names are fixed. `operator_url` is there only
 * where operators are served apart.
 */
export interface Quickstart {
  production: { base_url: string; operator_url?: string; operator_key: string };
  sandbox: {
    base_url: string;
    operator_url?: string;
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
    if (errorCode(error) === 'ENOENT') return null;
    throw new StartupError(`${path} cannot be read (${errorMessage(error)}); give this user access to it.`);
  }
  const parsed = parse(text);
  if (!parsed) throw new StartupError(`${path} is damaged; remove it, or restore it from a backup.`);
  return parsed;
}

/** Readable by its owner only, and replaced atomically: a reader sees the old file or the new one. */
export function writeQuickstart(path: string, quickstart: Quickstart): void {
  // One name for all drafts, so that crashes cannot leave more than one file with secrets behind.
  const draft = `${path}.draft`;
  makeDataFolder(dirname(path));
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(quickstart, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const reason = errorCode(error);
    throw new StartupError(
      `${path} cannot be written (${reason}); free some space, or give this user write access.`,
    );
  }
}

const productionFields = ['base_url', 'operator_key'];
const sandboxFields = [
  ...productionFields,
  'organization_id',
  'client_id',
  'client_secret',
  'access_token',
  'refresh_token',
  'user_email',
  'user_password',
];

function parse(text: string): Quickstart | null {
  try {
    const read: Quickstart = JSON.parse(text);
    const { production, sandbox }: Record<string, Readonly<Record<string, unknown>>> = JSON.parse(text);
    const whole =
      productionFields.every((field) => typeof production?.[field] === 'string') &&
      sandboxFields.every((field) => typeof sandbox?.[field] === 'string');
    return whole ? read : null;
  } catch {
    return null;
  }
}
