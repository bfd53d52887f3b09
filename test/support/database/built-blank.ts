import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBlankDatabase } from '../../../src/storage/blank-database.ts';

/** The empty embedded database that the last build made: tests run from the sources, which have none. */
export function readBuiltBlank(): Blob | undefined {
  return readBlankDatabase(pathToFileURL(resolve('dist/storage/blank-database.tar.gz')));
}
