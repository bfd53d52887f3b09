import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StartupError } from '../../errors/startup-error.ts';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';

/** Makes a folder as a whole or not at all: it is written beside its place, and takes that once it is complete. */
export async function makeWhole(target: string, write: (folder: string) => Promise<void>): Promise<void> {
  requireFree(target);
  const place = resolve(target);
  const made = beside(place);
  try {
    await write(made);
    takePlace(made, place);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** An empty folder stays the same one: somebody may be in it. */
function takePlace(made: string, place: string): void {
  if (!existsSync(place)) {
    renameSync(made, place);
    return;
  }
  for (const name of readdirSync(made)) renameSync(join(made, name), join(place, name));
  rmdirSync(made);
}

function requireFree(target: string): void {
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory())
    throw new StartupError(`${target} is a file; name a folder with --into.`);
  if (readdirSync(target).length > 0)
    throw new StartupError(
      `${target} is not empty, and was not made by "dateline import"; name another folder with --into.`,
    );
}

function beside(place: string): string {
  try {
    mkdirSync(dirname(place), { recursive: true });
    const made = join(dirname(place), `.${basename(place)}-${randomBytes(6).toString('hex')}`);
    mkdirSync(made);
    return made;
  } catch (error) {
    throw new StartupError(
      `${dirname(place)} cannot be written to (${errorCode(error) ?? errorMessage(error)}).`,
    );
  }
}

/** Writes a file with the folders above it: the old text stays until the new one is complete. */
export function writeWhole(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  const made = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(made, text);
    renameSync(made, path);
  } catch (error) {
    throw new StartupError(`${path} cannot be written (${errorCode(error) ?? errorMessage(error)}).`);
  }
}
