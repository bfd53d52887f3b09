import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiVersion, nextVersion } from '@dateline/versions';
import { StartupError } from '../../errors/startup-error.ts';
import { CHANGES_FOLDER, FROZEN_FOLDER, NEXT_FILE } from './folder-files.ts';
import { foundVersions } from './freeze/found-versions.ts';
import { writeLock } from './freeze/frozen-files.ts';
import { emptyChanges } from './freeze/release-folder.ts';

const template = fileURLToPath(new URL('./template/', import.meta.url));

/** Makes a folder with a small working API in it: two frozen versions and Next, which are the same so far. */
export async function initFolder(
  folder: string,
  { deprecated, current }: { deprecated: ApiVersion; current: ApiVersion },
): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartupError(`${folder} is not empty; name a folder that is, or that is not there yet.`);
  const next = nextVersion(current);
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  // A package holds no file of the name that it will have.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  fillIn(folder, { deprecated, current, next });
  await beginVersions(folder, { deprecated, current });
}

/** Founds the first frozen versions of a folder that has Next and a configuration: copies of Next, until the first release. */
export async function beginVersions(
  folder: string,
  { deprecated, current }: { deprecated: ApiVersion; current: ApiVersion },
): Promise<void> {
  mkdirSync(join(folder, FROZEN_FOLDER));
  for (const step of [
    [current, deprecated],
    [nextVersion(current), current],
  ])
    writeChanges(folder, step.join('-to-'));
  writeLock(
    { root: folder, folder: FROZEN_FOLDER },
    {
      id: randomBytes(12).toString('hex'),
      founding: true,
      sha256: {},
    },
  );
  await foundVersions(folder, [deprecated, current]);
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

function writeChanges(folder: string, step: string): void {
  const subfolder = join(folder, CHANGES_FOLDER, step);
  mkdirSync(subfolder, { recursive: true });
  writeFileSync(join(subfolder, 'index.mjs'), emptyChanges);
}
