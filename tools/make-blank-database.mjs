// `node tools/make-blank-database.mjs <file>`: an embedded database with both schemas migrated, packed. Uses what the compiler has written.
import { renameSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { migrations } from '../dist/compose/migrations.js';
import { environmentNames } from '../dist/environments/environment.js';
import { migrate } from '../dist/storage/migrate.js';
import { schemaOf } from '../dist/storage/open-database.js';
import { openPGlite } from '../dist/storage/pglite.js';
import { statement } from '../dist/storage/statement.js';

const [target] = process.argv.slice(2);
const embedded = await openPGlite({ folder: null });
const databases = environmentNames.map((name) => embedded.database(schemaOf(name)));
for (const database of databases) await migrate(database, migrations);
// Whoever starts from it has nothing to recover.
await databases[0].run(statement('checkpoint', 'checkpoint'), []);
const packed = gzipSync(Buffer.from(await (await embedded.dump()).arrayBuffer()));
for (const database of databases) await database.close();
// Renamed when it is complete: a process that finds the file uses it.
writeFileSync(`${target}.unfinished`, packed);
renameSync(`${target}.unfinished`, target);
