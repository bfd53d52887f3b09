import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion } from '@dateline/versions';
import { configFileOf } from '../config-file.ts';
import { CHANGES_FOLDER, MODULE_EXTENSIONS } from '../folder-files.ts';
import { findModule } from '../modules/find-module.ts';
import { hasTypes } from '../types/type-files.ts';

/** Opens a step between two versions that do not differ yet, unless it is open already; in TypeScript where the folder is written in it. */
export function writeEmptyChanges(
  folder: string,
  { newer, older }: Record<'newer' | 'older', ApiVersion>,
): void {
  const step = `${newer}-to-${older}`;
  const subfolder = `${CHANGES_FOLDER}/${step}`;
  mkdirSync(join(folder, subfolder), { recursive: true });
  if (findModule(folder, `${subfolder}/index`, MODULE_EXTENSIONS) !== null) return;
  const isTyped = configFileOf(folder)?.endsWith('ts') && hasTypes(folder);
  const [name, text] = isTyped ? ['index.ts', typedChanges(step)] : ['index.mjs', emptyChanges];
  writeFileSync(join(folder, subfolder, name), text);
}

const EXPLANATION = `// What changed between these two versions, oldest change first: see "npx dateline contract check".`;

const emptyChanges = `${EXPLANATION}
/** @type {readonly import('@dateline/versions').WrittenChange[]} */
export const changes = [];
`;

function typedChanges(step: string): string {
  return [
    "import { defineChanges } from 'dateline/versions';",
    `import type { Step } from '../../types/${step}.d.ts';`,
    '',
    EXPLANATION,
    'export const changes = defineChanges<Step>()([]);',
    '',
  ].join('\n');
}
