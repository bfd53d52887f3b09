import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CHANGES_FOLDER,
  CONFIG_MODULE,
  CONTRACT_FOLDER,
  FROZEN_FOLDER,
  HANDLERS_MODULE,
} from '../folder-files.ts';
import { FolderError, type FolderProblem } from '../folder-problem.ts';
import { inOwnNames } from '../modules/own-names.ts';
import { createLocations } from './code-frame.ts';
import { jsonOffsets } from './json-offsets.ts';
import { yamlOffsets } from './yaml-offsets.ts';

/** Does something with a folder. What is wrong with that is told by file, in its order, with lines and columns. */
export async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FolderError ? new FolderError(locateProblems(folder, error.problems)) : error;
  }
}

/** More of them are told without the lines around them: nobody mends so many at once. */
const FRAMES_MAX = 50;

export function locateProblems(folder: string, found: readonly FolderProblem[]): FolderProblem[] {
  const problems = inOwnNames(folder, found);
  const files = [...new Set(problems.map(({ file }) => file))].sort(
    (one, other) => rankOf(one) - rankOf(other),
  );
  const located = files.flatMap((file) =>
    locateInFile(
      folder,
      problems.filter((problem) => problem.file === file),
    ),
  );
  return located.map((problem, index) => (index < FRAMES_MAX ? problem : withoutFrame(problem)));
}

/** What others rest on is told first. */
function rankOf(file: string): number {
  const begins = [CONFIG_MODULE, FROZEN_FOLDER, CHANGES_FOLDER, HANDLERS_MODULE, CONTRACT_FOLDER];
  const order = [0, 2, 3, 4, 1];
  return order[begins.findIndex((beginning) => file.startsWith(beginning))] ?? order.length;
}

function locateInFile(folder: string, problems: readonly FolderProblem[]): FolderProblem[] {
  const [{ file } = { file: '' }] = problems;
  const pointers = problems.flatMap(({ path, location }) =>
    path?.startsWith('/') && !location ? [path] : [],
  );
  const text = pointers.length > 0 ? readText(folder, file) : null;
  if (text === null) return [...problems];
  const offsets = offsetsIn(text, new Set(pointers.flatMap(ancestors)));
  const locationAt = createLocations(text);
  const withOffsets = problems.map((problem) => ({ problem, offset: offsetOf(problem.path ?? '', offsets) }));
  return withOffsets
    .sort((one, other) => (one.offset ?? -1) - (other.offset ?? -1))
    .map(({ problem, offset }) => (offset === null ? problem : { ...problem, location: locationAt(offset) }));
}

function offsetsIn(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  return isJson(text) ? jsonOffsets(text, wanted) : yamlOffsets(text, wanted);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is missing is told at what it is missing in. */
function offsetOf(pointer: string, offsets: ReadonlyMap<string, number>): number | null {
  const found = ancestors(pointer)
    .toReversed()
    .find((above) => offsets.has(above));
  return found === undefined ? null : (offsets.get(found) ?? null);
}

function ancestors(pointer: string): string[] {
  const keys = pointer.split('/');
  return keys.slice(1).map((_key, index) => keys.slice(0, index + 2).join('/'));
}

function readText(folder: string, file: string): string | null {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return null;
  }
}

function withoutFrame({ location, ...problem }: FolderProblem): FolderProblem {
  if (location === undefined) return problem;
  return { ...problem, location: { ...location, frame: '' } };
}
