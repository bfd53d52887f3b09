// Makes an embedded database with nothing in it, packed into one file.
import { renameSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const [target] = process.argv.slice(2);
const pglite = await PGlite.create();
const packed = await pglite.dumpDataDir('gzip');
await pglite.close();
// Renamed when it is complete: a process that finds the file uses it.
writeFileSync(`${target}.unfinished`, Buffer.from(await packed.arrayBuffer()));
renameSync(`${target}.unfinished`, target);
