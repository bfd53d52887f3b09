import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiVersion, nextVersion } from '@dateline/versions';
import { StartupError } from '../../errors/startup-error.ts';
import { FROZEN_FOLDER, NEXT_FILE, TYPES_FOLDER } from './folder-files.ts';
import { writeEmptyChanges } from './freeze/empty-changes.ts';
import { foundVersions } from './freeze/found-versions.ts';
import { writeLock } from './freeze/frozen-files.ts';
import { refreshTypes } from './types/type-files.ts';
import { turnIntoTypeScript } from './typescript-template.ts';

const template = fileURLToPath(new URL('./template/', import.meta.url));

interface FirstVersions {
  deprecated: ApiVersion;
  current: ApiVersion;
  isTypeScript?: boolean;
}

/** Makes a folder with a small working API in it: two frozen versions and Next, which are the same so far. */
export async function initFolder(
  folder: string,
  { deprecated, current, isTypeScript = false }: FirstVersions,
): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartupError(`${folder} is not empty; name a folder that is, or that is not there yet.`);
  const next = nextVersion(current);
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  // A package holds no file of the name that it will have.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  fillIn(folder, { deprecated, current, next });
  if (isTypeScript) turnIntoTypeScript(folder);
  if (isTypeScript) mkdirSync(join(folder, TYPES_FOLDER));
  await beginVersions(folder, { deprecated, current });
}

/** Founds the first frozen versions of a folder that has Next and a configuration: copies of Next, until the first release. */
export async function beginVersions(
  folder: string,
  { deprecated, current }: { deprecated: ApiVersion; current: ApiVersion },
): Promise<void> {
  mkdirSync(join(folder, FROZEN_FOLDER));
  writeEmptyChanges(folder, { newer: current, older: deprecated });
  writeEmptyChanges(folder, { newer: nextVersion(current), older: current });
  writeLock(
    { root: folder, folder: FROZEN_FOLDER },
    {
      id: randomBytes(12).toString('hex'),
      founding: true,
      sha256: {},
    },
  );
  await foundVersions(folder, [deprecated, current]);
  await refreshTypes(folder);
}

function fillIn(folder: string, names: Readonly<Record<string, string>>): void {
  for (const file of [NEXT_FILE, 'README.md']) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name) => names[name] ?? ''),
    );
  }
}
