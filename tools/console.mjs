// Part of `npm run client`: writes the types of the operator API for the console. A test compares them with the document.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operatorTypes } from './client-generator/operator-types.mjs';
import { operatorDocument } from './operator-document.mjs';
import { root, setup } from './setup.mjs';

setup();
const target = join(root, 'console', 'src', 'generated', 'operator-api.ts');
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, await operatorTypes(await operatorDocument()));
console.log('Wrote the types of console/');
