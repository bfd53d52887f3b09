import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../kernel/error-facts.ts';
import { refuse } from './folder-problem.ts';

/** What a module of a folder exports; null where there is no such file. */
export async function importModule(
  folder: string,
  file: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const path = join(folder, file);
  const found = await stat(path).catch(() => null);
  if (!found) return null;
  try {
    // A file that was edited is another module, also in a process that has read it before.
    return await import(`${pathToFileURL(path).href}?${found.mtimeMs}`);
  } catch (error) {
    throw refuse(file, `it cannot be loaded (${errorMessage(error)})`);
  }
}
