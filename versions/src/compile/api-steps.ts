import type { Change, ChangeSet } from '../contract/change.ts';
import type { Contract } from '../contract/contract.ts';
import { fromOpenApi } from '../contract/from-openapi.ts';
import type { OpenApiDocument } from '../openapi/plain-data.ts';
import type { PassageWatch } from './bridge.ts';
import { differencesByName } from './contract-differences.ts';

export interface ApiSource {
  /** The documents of all versions that this build holds, oldest first; the last one is Next. */
  documents: readonly OpenApiDocument[];
  /** One for each two neighbours, oldest first. */
  changeSets: readonly ChangeSet[];
  /** Reads a document; `fromOpenApi` unless it is given. It throws where a document has no contract. */
  read?: (document: OpenApiDocument) => Contract;
  /** Operations that no newer version has, and that are answered by what stands beside the contract. */
  answered?: ReadonlySet<string>;
  /** Sees what the changes do with each call; nothing is between where it is left out. */
  watch?: PassageWatch;
  /** The folder that holds a folder for each change set, such as `2027-01-to-2026-10`; problems then name it. */
  changesFolder?: string;
}

/** Two neighbours, where they differ, and the changes that are to cover that. */
export interface ApiStep {
  older: Contract;
  newer: Contract;
  /** Their documents, which also have the examples of their authors. */
  documents: { older: OpenApiDocument; newer: OpenApiDocument };
  differences: readonly string[];
  /** The same by the operation id or event kind that they are about. */
  differing: ReadonlyMap<string, readonly string[]>;
  answered: ReadonlySet<string>;
  /** Null where there is no change set for the two. */
  changes: readonly Change[] | null;
  /** The list that its author wrote: the same one while its module is the same. */
  writtenAs: readonly object[] | null;
  /** Where its changes are written, for messages. */
  folder: string;
}

/** A step with its changes, as checks need it. */
export interface CheckedStep extends ApiStep {
  changes: readonly Change[];
  /** Such as `from 2027-01 to 2026-10`. */
  span: string;
}

/** Every step from a version to the next one, oldest first. */
export function apiSteps(source: ApiSource): ApiStep[] {
  const { documents, read = fromOpenApi } = source;
  const versions = documents.map((document) => ({ document, contract: read(document) }));
  return versions.flatMap((newer, index) => {
    const older = versions[index - 1];
    return older ? [stepBetween(older, newer, source)] : [];
  });
}

interface ReadVersion {
  document: OpenApiDocument;
  contract: Contract;
}

function stepBetween(
  { contract: older, document: olderDocument }: ReadVersion,
  { contract: newer, document: newerDocument }: ReadVersion,
  source: ApiSource,
): ApiStep {
  const { changeSets, changesFolder, answered = new Set() } = source;
  const changeSet = changeSets.find((set) => set.older === older.version && set.newer === newer.version);
  const name = `${newer.version}-to-${older.version}`;
  const differences = differencesByName(older, newer);
  return {
    older,
    newer,
    documents: { older: olderDocument, newer: newerDocument },
    differences: [...differences.values()].flat(),
    differing: differences,
    answered,
    changes: changeSet?.changes ?? null,
    writtenAs: changeSet?.writtenAs ?? changeSet?.changes ?? null,
    folder: changesFolder === undefined ? `the change set ${name}` : `${changesFolder}/${name}/`,
  };
}
