import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../folder-problem.ts';

/** The file of a module, by its name without an extension; null where there is none. */
export function findModule(folder: string, name: string, extensions: readonly string[]): string | null {
  const found = extensions
    .map((extension) => name + extension)
    .filter((file) => existsSync(join(folder, file)));
  const [file, other] = found;
  if (file === undefined) return null;
  if (other === undefined) return file;
  throw refuse(file, `there is ${other} too, and only one of them can count; remove the other one`);
}
