import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
  type Contract,
  type FrozenState,
  nextVersion,
  type OpenApiDocument,
} from '@dateline/versions';
import { present } from '../../kernel/presence.ts';
import { partIn } from '../document/parts.ts';
import { type FolderReader, readFolderContract } from './folder-contract.ts';
import { CHANGES_FOLDER, FROZEN_FOLDER, NEXT_FILE } from './folder-files.ts';
import { refuse } from './folder-problem.ts';
import { loadChangeSets } from './load-changes.ts';
import { loadHandlers } from './load-handlers.ts';
import { readNextDocument, versionOf } from './read-contract-files.ts';

/**
 * The frozen versions, Next, and the version that will be Next after it, with the contract of Next until somebody changes it:
 * as our own.
 */
export async function readFolderSource(
  folder: string,
  frozen: FrozenState,
  reader: FolderReader,
): Promise<ApiSource> {
  const next = await readNextDocument(folder, reader);
  const nextId = versionOf(next, NEXT_FILE);
  requireSuccession(versionsOf(frozen), nextId);
  const afterNext = nextVersion(nextId);
  const older = versionsOf(frozen).map((version) => present(frozen.documents[version], version));
  const sets = await loadChangeSets(folder, [...versionsOf(frozen), nextId]);
  const last = { ...next, info: { ...partIn(next, 'info'), version: afterNext } };
  const read = (document: OpenApiDocument): Contract =>
    document === last
      ? { ...read(next), version: afterNext }
      : readFolderContract(document, nameOf(document, nextId), reader);
  return {
    documents: [...older, next, last],
    changeSets: [...sets, { newer: afterNext, older: nextId, changes: [] }],
    changesFolder: CHANGES_FOLDER,
    answered: new Set(Object.keys(await loadHandlers(folder))),
    read,
  };
}

function requireSuccession(frozen: readonly ApiVersion[], next: ApiVersion): void {
  const newest = frozen.at(-1);
  if (newest === undefined)
    throw refuse(FROZEN_FOLDER, 'no version is frozen in it; restore it, or begin with "dateline init"');
  if (nextVersion(newest) === next) return;
  throw refuse(
    NEXT_FILE,
    `it must be ${nextVersion(newest)}, the quarter after ${newest}, which is frozen`,
    '/info/version',
  );
}

export const versionsOf = ({ documents }: FrozenState): ApiVersion[] =>
  Object.keys(documents).sort().map(apiVersion);

function nameOf(document: OpenApiDocument, next: ApiVersion): string {
  const version = versionOf(document, NEXT_FILE);
  return version >= next ? NEXT_FILE : frozenFile(version);
}

export const frozenFile = (version: ApiVersion): string => `${FROZEN_FOLDER}/${version}/contract.json`;
