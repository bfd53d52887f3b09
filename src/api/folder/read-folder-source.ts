import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
  type ChangeSet,
  type Contract,
  expandChangeSets,
  type FrozenState,
  nextVersion,
  type OpenApiDocument,
  type OpenApiProblem,
  slowPatternProblems,
  type WrittenChangeSet,
} from '@dateline/versions';
import { present } from '../../kernel/presence.ts';
import { partIn } from '../document/parts.ts';
import type { FolderReader } from './folder-contract.ts';
import { CHANGES_FOLDER, FROZEN_FOLDER, NEXT_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { loadChangeSets } from './load-changes.ts';
import { loadHandlers } from './load-handlers.ts';
import { bundleNext, versionOf } from './read-contract-files.ts';

/** The versions of a folder, oldest first, as far as they can be read. */
export interface FolderSource extends ApiSource {
  read(document: OpenApiDocument): Contract;
  next: ApiVersion;
  /** The versions whose documents are written down, newest first. */
  written: readonly ApiVersion[];
  /** The document of one of them. */
  documentOf(version: ApiVersion): OpenApiDocument;
  /** The file and the place in it of a problem of a version's document. */
  locate(version: ApiVersion, problem: OpenApiProblem): FolderProblem;
}

export interface ReadSource {
  source: FolderSource;
  /** Problems that keep it from being whole: it is to be shown then, and not to be served. */
  problems: readonly FolderProblem[];
}

/** The source of a folder that can be served as far as its documents go. Throws a `FolderError` otherwise. */
export async function readFolderSource(
  folder: string,
  frozen: FrozenState,
  reader: FolderReader,
): Promise<FolderSource> {
  const { source, problems } = await readSource(folder, frozen, reader);
  if (problems.length > 0) throw new FolderError(problems);
  return source;
}

/**
 * The frozen versions, Next, and the version that will be Next after it, with the contract of Next until somebody changes it:
 * as our own. Throws a `FolderError` only where there is nothing to show.
 */
export async function readSource(
  folder: string,
  frozen: FrozenState,
  reader: FolderReader,
): Promise<ReadSource> {
  const { document, locate } = await bundleNext(folder);
  const next = versionOf(document, NEXT_FILE);
  const older = versionsOf(frozen);
  requireSuccession(older, next);
  const [changes, handlers] = await Promise.all([
    attempt(() => loadChangeSets(folder, [...older, next]), []),
    attempt(() => loadHandlers(folder), {}),
  ]);
  const source = createSource({
    frozen,
    next: document,
    answered: Object.keys(handlers.value),
    contractOf: (known) => reader(known).partial,
  });
  const expanded = expandedSets(changes.value, source);
  const changeSets = [...expanded.sets, ...source.changeSets];
  const located = { ...source, changeSets, locate: locateBy(next, locate) };
  const problems = [
    ...documentProblems(located, reader),
    ...changes.problems,
    ...handlers.problems,
    ...expanded.problems,
  ];
  return { source: located, problems };
}

/** Changes by schema, as the contracts have it. */
function expandedSets(
  sets: readonly WrittenChangeSet[],
  { read, written, documentOf }: Pick<FolderSource, 'read' | 'written' | 'documentOf'>,
): { sets: ChangeSet[]; problems: FolderProblem[] } {
  const expanded = expandChangeSets(
    sets,
    written.map((version) => read(documentOf(version))),
  );
  return {
    sets: expanded.map(({ changeSet }) => changeSet),
    problems: expanded.flatMap(({ changeSet: { newer, older }, problems }) =>
      problems.map((reason) => ({ file: `${CHANGES_FOLDER}/${newer}-to-${older}`, reason })),
    ),
  };
}

interface SourceParts {
  frozen: FrozenState;
  next: OpenApiDocument;
  answered: readonly string[];
  contractOf(document: OpenApiDocument): Contract | null;
}

function createSource({ frozen, next, answered, contractOf }: SourceParts) {
  const nextId = versionOf(next, NEXT_FILE);
  const afterNext = nextVersion(nextId);
  const older = versionsOf(frozen).map((version) => present(frozen.documents[version], version));
  const last = { ...next, info: { ...partIn(next, 'info'), version: afterNext } };
  const contracts = new Map<OpenApiDocument, Contract>();
  const read = (document: OpenApiDocument): Contract => {
    const known = contracts.get(document);
    if (known) return known;
    const contract =
      document === last
        ? { ...read(next), version: afterNext }
        : (contractOf(document) ?? nothingIn(document));
    contracts.set(document, contract);
    return contract;
  };
  return {
    documents: [...older, next, last],
    changeSets: [{ newer: afterNext, older: nextId, changes: [] }],
    changesFolder: CHANGES_FOLDER,
    answered: new Set(answered),
    read,
    next: nextId,
    written: [nextId, ...versionsOf(frozen).toReversed()],
    documentOf: (version: ApiVersion) => frozen.documents[version] ?? next,
  };
}

/** The contract of a document that is none: its problems say so. */
function nothingIn(document: OpenApiDocument): Contract {
  const errorShape = { name: 'problem', mediaType: 'application/problem+json', schema: {} };
  return { version: versionOf(document, FROZEN_FOLDER), errorShape, operations: [], events: [] };
}

function locateBy(
  next: ApiVersion,
  locateInNext: (problem: OpenApiProblem) => FolderProblem,
): FolderSource['locate'] {
  return (version, problem) =>
    version >= next ? locateInNext(problem) : { ...problem, file: frozenFile(version) };
}

/**
 * The same problem is one of the newest version that has it: it is told once, and not once for each version. Slow patterns count in Next
 * only: a frozen contract cannot be changed any more.
 */
function documentProblems(source: FolderSource, reader: FolderReader): FolderProblem[] {
  const told = new Set<string>();
  return source.written.flatMap((version) => {
    const document = source.documentOf(version);
    const slow = version === source.next ? slowPatternProblems(document) : [];
    return [...reader(document).problems, ...slow].flatMap((problem) => {
      const key = JSON.stringify([problem.path, problem.reason]);
      if (told.has(key)) return [];
      told.add(key);
      return [source.locate(version, problem)];
    });
  });
}

/** What fails is left out, and told with the rest. */
async function attempt<Value>(
  work: () => Promise<Value>,
  otherwise: Value,
): Promise<{ value: Value; problems: readonly FolderProblem[] }> {
  try {
    return { value: await work(), problems: [] };
  } catch (error) {
    if (error instanceof FolderError) return { value: otherwise, problems: error.problems };
    throw error;
  }
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

const frozenFile = (version: ApiVersion): string => `${FROZEN_FOLDER}/${version}/contract.json`;
