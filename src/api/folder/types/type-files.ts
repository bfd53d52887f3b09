import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion, OpenApiDocument } from '@dateline/versions';
import { present } from '../../../kernel/presence.ts';
import { FROZEN_FOLDER, NEXT_FILE, TYPES_FOLDER } from '../folder-files.ts';
import { readFrozenFiles } from '../freeze/frozen-files.ts';
import { bundleNext, versionOf } from '../read-contract-files.ts';
import { versionTypes } from './version-types.ts';

/** The documents of a folder, by version. */
export interface Documents {
  /** Newest first. */
  written: readonly ApiVersion[];
  documentOf(version: ApiVersion): OpenApiDocument;
}

/** Writes the types of a folder's contracts. Returns the files that are others than before. */
export function writeTypes(folder: string, documents: Documents): string[] {
  const files = typeFiles(documents);
  const changed = differingTypes(folder, files);
  mkdirSync(join(folder, TYPES_FOLDER), { recursive: true });
  for (const name of changed) {
    const path = join(folder, TYPES_FOLDER, name);
    const text = files.get(name);
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
  return changed.map((name) => `${TYPES_FOLDER}/${name}`);
}

/** The same for a folder that has some: nobody needs to want types. */
export async function refreshTypes(folder: string): Promise<void> {
  if (hasTypes(folder)) writeTypes(folder, await readDocuments(folder));
}

/** False for a folder that was never given types, and for those that are as its contracts. */
export function areTypesStale(folder: string, documents: Documents): boolean {
  return hasTypes(folder) && differingTypes(folder, typeFiles(documents)).length > 0;
}

export function hasTypes(folder: string): boolean {
  return existsSync(join(folder, TYPES_FOLDER));
}

/** Its contracts alone: types are written for changes that do not load yet, too. */
export async function readDocuments(folder: string): Promise<Documents> {
  const { documents } = readFrozenFiles({ root: folder, folder: FROZEN_FOLDER });
  const { document } = await bundleNext(folder);
  const all = new Map(Object.entries({ ...documents, [versionOf(document, NEXT_FILE)]: document }));
  const written = [...all.values()].map((one) => versionOf(one, FROZEN_FOLDER)).sort();
  return { written: written.toReversed(), documentOf: (version) => present(all.get(version), version) };
}

const MARK = '// Written by "dateline contract types".';

/** Names that differ from what they should be, or that should not be there. */
function differingTypes(folder: string, files: ReadonlyMap<string, string>): string[] {
  const path = (name: string): string => join(folder, TYPES_FOLDER, name);
  const textOf = (name: string): string | null =>
    existsSync(path(name)) ? readFileSync(path(name), 'utf8').replaceAll('\r\n', '\n') : null;
  const there = hasTypes(folder) ? readdirSync(path('')).filter((name) => name.endsWith('.d.ts')) : [];
  const left = there.filter((name) => !files.has(name) && textOf(name)?.startsWith(MARK));
  return [...[...files.keys()].filter((name) => textOf(name) !== files.get(name)), ...left];
}

function typeFiles({ written, documentOf }: Documents): ReadonlyMap<string, string> {
  const steps = written.slice(1).map((older, index) => ({ newer: present(written[index], older), older }));
  return new Map([
    ...written.map((version) => versionFile(version, documentOf(version))),
    ...steps.map(stepFile),
    ['next.d.ts', `${MARK} The newest version.\n\nexport type * from './${written[0]}.d.ts';\n`] as const,
  ]);
}

function versionFile(version: ApiVersion, document: OpenApiDocument): readonly [string, string] {
  return [`${version}.d.ts`, `${MARK} The contract of ${version}.\n\n${versionTypes(document)}`];
}

function stepFile({ newer, older }: { newer: ApiVersion; older: ApiVersion }): readonly [string, string] {
  const sides = [
    { name: 'newer', version: newer },
    { name: 'older', version: older },
  ];
  const imports = sides.map(({ name, version }) => `import type * as ${name} from './${version}.d.ts';\n`);
  const members = sides.map(
    ({ name }) => `  ${name}: { operations: ${name}.Operations; events: ${name}.Events };\n`,
  );
  return [
    `${newer}-to-${older}.d.ts`,
    `${MARK} For defineChanges<Step>() in contract/changes/${newer}-to-${older}.\n\n` +
      `${imports.join('')}\nexport interface Step {\n${members.join('')}}\n\nexport type { newer, older };\n`,
  ];
}
