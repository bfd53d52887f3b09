import { readdirSync, readFileSync } from 'node:fs';
import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
  type Change,
  expandChangeSets,
  fromOpenApi,
  InvalidApiError,
  nextVersion,
  type OpenApiDocument,
  toOpenApi,
} from '@dateline/versions';
import { changeSets } from './changes/index.ts';
import { headContract } from './head/index.ts';
import { headVersion } from './head/version.ts';

export const API_TITLE = 'Dateline';

const frozenFolder = new URL('./frozen/', import.meta.url);

/** The versions whose contract can no longer change, oldest first: those that have a file. */
export function frozenVersions(): ApiVersion[] {
  return readdirSync(frozenFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => apiVersion(entry.name))
    .sort();
}

let source: ApiSource | null = null;

/**
 * Our API as data: the frozen files, Next as it stands, the version that will be Next after it, and the changes
 * between neighbours. The last one has the contract of Next until somebody changes it. It is read once: it is part of the program.
 */
export function apiSource(): ApiSource {
  source ??= readApiSource();
  return source;
}

function readApiSource(): ApiSource {
  const afterHead = nextVersion(headVersion);
  const versions = [...frozenVersions().map(readFrozen), headDocument(headVersion), headDocument(afterHead)];
  const contracts = new Map(versions.map((document) => [document, fromOpenApi(document)]));
  const expanded = expandChangeSets(changeSets, [...contracts.values()]);
  const problems = expanded.flatMap((one) => one.problems);
  if (problems.length > 0) throw new InvalidApiError(problems);
  return {
    documents: versions,
    changeSets: [
      ...expanded.map(({ changeSet }) => ({ ...changeSet, changes: changeSet.changes.map(editingNothing) })),
      { newer: afterHead, older: headVersion, changes: [] },
    ],
    changesFolder: 'src/contracts/changes',
    read: (document) => contracts.get(document) ?? fromOpenApi(document),
  };
}

/** Ours make others, every one of them: a test looks at that. */
function editingNothing(change: Change): Change {
  return { ...change, editsNothing: true };
}

/** Next as data only, like the frozen ones: whatever the builder of its schemas keeps beside them is gone. */
export function headDocument(version: ApiVersion): OpenApiDocument {
  return JSON.parse(JSON.stringify(toOpenApi(headContract(version), API_TITLE)));
}

function readFrozen(version: ApiVersion): OpenApiDocument {
  return JSON.parse(readFileSync(new URL(`${version}/contract.json`, frozenFolder), 'utf8'));
}
