// Makes an embedded database with nothing in it, packed into one file.
import { renameSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const [target] = process.argv.slice(2);
const pglite = await PGlite.create();
const packed = await pglite.dumpDataDir('gzip');
await pglite.close();
// Whole or not at all: whoever finds the file takes it.
writeFileSync(`${target}.unfinished`, Buffer.from(await packed.arrayBuffer()));
renameSync(`${target}.unfinished`, target);
