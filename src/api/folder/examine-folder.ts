import {
  type ApiFinding,
  apiFindings,
  type Contract,
  differencePointer,
  type FrozenState,
  frozenContractProblems,
  frozenProblems,
} from '@dateline/versions';
import { type FolderConfig, readConfigFile } from './config-file.ts';
import { createFolderReader, exampleProblems } from './folder-contract.ts';
import { FROZEN_FOLDER, NEXT_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem } from './folder-problem.ts';
import { readFrozenFiles } from './freeze/frozen-files.ts';
import { type FolderSource, type ReadSource, readSource } from './read-folder-source.ts';
import { type Reserved, reservedMountProblems, reservedProblems, reservedScopeProblems } from './reserved.ts';
import { scopeProblems } from './scope-problems.ts';

/** A folder as far as it can be read, and everything that keeps it from being served. */
export interface ExaminedFolder {
  /** Null where it is wrong. */
  config: FolderConfig | null;
  frozen: FrozenState;
  source: FolderSource;
  /** Those of its files, each by itself. */
  fileProblems: readonly FolderProblem[];
  /** All of them. */
  problems: readonly FolderProblem[];
}

/**
 * Every command and the start read a folder this way, so that they agree. Throws a `FolderError` only where there is nothing to show.
 * Where the past is given, tapes are looked at too.
 */
export async function examineFolder(
  folder: string,
  reserved: Reserved,
  past: readonly FrozenState[] | null = null,
): Promise<ExaminedFolder> {
  const { config, problems } = await readConfig(folder);
  const frozen = readFrozenFiles({ root: folder, folder: FROZEN_FOLDER });
  const read = await readSource(folder, frozen, createFolderReader(config ?? { open: '*' })).catch(
    (error: unknown) => {
      // A wrong configuration is told together with a wrong document.
      throw error instanceof FolderError ? new FolderError([...problems, ...error.problems]) : error;
    },
  );
  const fileProblems = [...problems, ...contractProblems(read, config, reserved), ...read.problems];
  return {
    config,
    frozen,
    source: read.source,
    fileProblems,
    problems: [
      ...fileProblems,
      ...edits(frozen, past).map((sentence) => inFile(FROZEN_FOLDER, sentence)),
      // Where a document cannot be read as a whole, what is missing would look like a difference.
      ...(read.problems.length > 0 ? [] : differenceProblems(read.source, frozen)),
    ],
  };
}

async function readConfig(folder: string): Promise<Pick<ExaminedFolder, 'config' | 'problems'>> {
  try {
    return { config: await readConfigFile(folder), problems: [] };
  } catch (error) {
    if (error instanceof FolderError) return { config: null, problems: error.problems };
    throw error;
  }
}

const words = { next: NEXT_FILE, freeze: 'dateline contract', recordTape: 'dateline contract release' };

function edits(frozen: FrozenState, past: readonly FrozenState[] | null): string[] {
  return past === null ? frozenContractProblems(frozen, words) : frozenProblems(frozen, past, words);
}

const inFile = (file: string, sentence: string): FolderProblem => ({
  file,
  reason: sentence.replace(/\.$/, ''),
});

/** Names that clash, and scopes without words: told for the newest version that has them. */
function contractProblems(
  { source }: ReadSource,
  config: FolderConfig | null,
  reserved: Reserved,
): FolderProblem[] {
  if (config === null) return [];
  const told = new Set<string>();
  const ofVersions = source.written.flatMap((version) =>
    nameProblems(source.read(source.documentOf(version)), config, reserved)
      .filter(({ path, reason }) => {
        const key = JSON.stringify([path, reason]);
        return !told.has(key) && told.add(key);
      })
      .map((problem) => source.locate(version, problem)),
  );
  return [
    ...reservedScopeProblems(config, reserved),
    ...reservedMountProblems(config, reserved),
    ...ofVersions,
  ];
}

/** Refuses what no version of a folder could be served with, so that no copies are made of it. */
export async function requireServableNext(folder: string, reserved: Reserved): Promise<void> {
  const { source, fileProblems } = await examineFolder(folder, reserved);
  const ofNext = fileProblems.filter(({ file }) => !file.startsWith(FROZEN_FOLDER));
  const contract = source.read(source.documentOf(source.next));
  const problems = ofNext.length > 0 ? ofNext : exampleProblems(contract, NEXT_FILE);
  if (problems.length > 0) throw new FolderError(problems);
}

/** The same of one contract, by their places in its document. */
function nameProblems(contract: Contract, config: FolderConfig, reserved: Reserved) {
  return [...scopeProblems(contract, config), ...reservedProblems(contract, reserved, config.mount)];
}

/** What differs between versions and is not covered, where it is written: what many operations share is one problem. */
export function differenceProblems(
  source: FolderSource,
  { lock }: Pick<FrozenState, 'lock'>,
): FolderProblem[] {
  const together = new Map<string, { finding: ApiFinding; path: string; abouts: string[] }>();
  for (const finding of apiFindings(source)) {
    const path = pathOf(finding, source);
    // Operations that are new as a whole are told together: it may be all of them.
    const key = JSON.stringify([finding.form, isWhole(finding, source) ? null : path]);
    const known = together.get(key);
    if (known) known.abouts.push(finding.about);
    else together.set(key, { finding, path, abouts: [finding.about] });
  }
  return [...together.values()].map(({ finding, path, abouts }) => {
    const { version } = finding;
    const reason = finding.sentence(abouts).replace(/\.$/, '') + (isFounded(finding) ? FOUND_AGAIN : '');
    if (version === null || path === '') return { file: NEXT_FILE, reason };
    return source.locate(version, { path, reason });
  });

  function isFounded({ form }: ApiFinding): boolean {
    return lock.founding === true && form.startsWith('uncovered');
  }
}

const FOUND_AGAIN =
  '; or, as nothing was released yet, let "dateline contract found" make the older versions copies of Next';

function isWhole({ version, about }: ApiFinding, source: FolderSource): boolean {
  if (version === null || !source.written.includes(version)) return false;
  const { operations, events } = source.read(source.documentOf(version));
  return operations.some(({ id }) => id === about) || events.some(({ kind }) => kind === about);
}

function pathOf({ version, about }: ApiFinding, source: FolderSource): string {
  if (version === null || about === '' || !source.written.includes(version)) return '';
  const document = source.documentOf(version);
  return differencePointer(document, source.read(document), about);
}
