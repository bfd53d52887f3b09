// `npm run client`: writes the generated files of client/ from the contracts. A test compares them with the contracts.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, setup } from './setup.mjs';

setup();
const { clientInput } = await import('../dist/contracts/client-input.js');
const { catalogue } = await import('../dist/errors/catalogue.js');
const { clientFiles, isGenerated } = await import('./client-generator/client-files.mjs');

const client = join(root, 'client');
const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
const readme = readFileSync(join(client, 'README.md'), 'utf8');
const files = await clientFiles({ ...clientInput(), codes: Object.keys(catalogue), manifest, readme });

for (const path of filesBelow('src')) {
  if (isGenerated(path) && !files.has(path)) rmSync(join(client, path));
}
for (const [path, text] of files) {
  mkdirSync(dirname(join(client, path)), { recursive: true });
  writeFileSync(join(client, path), text);
}
console.log(`Wrote ${files.size} files of client/`);

function filesBelow(folder) {
  if (!existsSync(join(client, folder))) return [];
  return readdirSync(join(client, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(client.length + 1));
}
