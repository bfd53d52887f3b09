import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiVersion, apiVersion, nextVersion, previousVersion } from '@dateline/versions';
import { isMap, isScalar, parseDocument } from 'yaml';
import { readConfigFile } from '../config-file.ts';
import { withErrors } from '../errors/error-tape.ts';
import { createFolderReader, type FolderReader } from '../folder-contract.ts';
import { CHANGES_FOLDER, FROZEN_FOLDER, NEXT_FILE, TYPES_FOLDER } from '../folder-files.ts';
import { refuse } from '../folder-problem.ts';
import { requireProof } from '../prove-changes.ts';
import { bundleNext, versionOf } from '../read-contract-files.ts';
import { readFolderSource } from '../read-folder-source.ts';
import { hasTypes, refreshTypes } from '../types/type-files.ts';
import { writeEmptyChanges } from './empty-changes.ts';
import { recordFolderTape } from './folder-tape.ts';
import { asVersion } from './found-versions.ts';
import {
  deleteFrozen,
  type FrozenLocation,
  readFrozenFiles,
  readLock,
  writeContract,
  writeLock,
  writeTape,
} from './frozen-files.ts';

/** The steps of a folder's release, in order. Nothing happens before a step is applied. */
export interface FolderRelease {
  frozen: ApiVersion;
  newNext: ApiVersion;
  deleted: readonly ApiVersion[];
  steps: readonly { description: string; apply(): Promise<void> }[];
}

export async function planFolderRelease(folder: string): Promise<FolderRelease> {
  const location = { root: folder, folder: FROZEN_FOLDER };
  const reader = createFolderReader(await readConfigFile(folder));
  const frozen = versionOf((await bundleNext(folder)).document, NEXT_FILE);
  const newNext = nextVersion(frozen);
  // Until the changeover the version before the last is still Deprecated, so it stays for one more release.
  const oldestKept = previousVersion(previousVersion(frozen));
  const known = Object.keys(readLock(location).sha256).sort().map(apiVersion);
  const deleted = known.filter((version) => version < oldestKept);
  return {
    frozen,
    newNext,
    deleted,
    steps: [
      {
        description: `Freeze ${frozen} as it stands in ${NEXT_FILE}, with its tape`,
        apply: () => freeze(location, frozen, reader),
      },
      ...deleted.map((version) => ({
        description: `Delete ${version}, which is no longer maintained`,
        apply: async () => remove(location, version),
      })),
      {
        description: `Open ${newNext} as Next, with no change yet`,
        apply: async () => open(folder, frozen, newNext),
      },
      ...(hasTypes(folder)
        ? [
            {
              description: `Write ${TYPES_FOLDER} anew`,
              apply: () => refreshTypes(folder),
            },
          ]
        : []),
    ],
  };
}

async function freeze(location: FrozenLocation, version: ApiVersion, reader: FolderReader): Promise<void> {
  const source = await readFolderSource(location.root, readFrozenFiles(location), reader);
  requireProof(source, version);
  const tape = await withErrors(recordFolderTape(source, version), location.root, source);
  writeContract(location, version, asVersion(source.documentOf(version), version));
  writeTape(location, tape);
  // From here on nothing that is frozen can be rewritten.
  const { founding: _over, ...lock } = readLock(location);
  writeLock(location, lock);
}

function remove(location: FrozenLocation, version: ApiVersion): void {
  const step = join(location.root, CHANGES_FOLDER, `${nextVersion(version)}-to-${version}`);
  rmSync(step, { recursive: true, force: true });
  deleteFrozen(location, version);
}

function open(folder: string, frozen: ApiVersion, newNext: ApiVersion): void {
  writeEmptyChanges(folder, { newer: newNext, older: frozen });
  const path = join(folder, NEXT_FILE);
  writeFileSync(path, withVersion(readFileSync(path, 'utf8'), newNext));
}

/** The text with another version in it, and everything else, comments too, as it was. */
function withVersion(text: string, version: ApiVersion): string {
  const { contents } = parseDocument(text);
  const info = isMap(contents) ? contents.get('info') : null;
  const node = isMap(info) ? info.get('version', true) : null;
  if (!isScalar(node) || !node.range)
    throw refuse(NEXT_FILE, 'the version is not written in this file', '/info/version');
  const [start, end] = node.range;
  return `${text.slice(0, start)}"${version}"${text.slice(end)}`;
}
