import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBlankDatabase } from '../../../src/storage/blank-database.ts';

/** The embedded database that the last build made: tests run from the sources, which have none. */
export const builtBlank = pathToFileURL(resolve('dist/storage/blank-database.tar.gz'));

export const readBuiltBlank = (): Blob | undefined => readBlankDatabase(builtBlank);
