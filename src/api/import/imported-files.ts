import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE, NEXT_FILE } from '../folder/folder-files.ts';

/** How the document was imported last, file by file: edits since then are told by it. Nothing is served of it. */
export const IMPORTED_FOLDER = 'imported';
export const REPORT_FILE = 'IMPORT.md';

/** True of a folder that an import has made. */
export function wasImported(folder: string): boolean {
  return [CONFIG_FILE, NEXT_FILE].every((file) => existsSync(join(folder, IMPORTED_FOLDER, file)));
}
