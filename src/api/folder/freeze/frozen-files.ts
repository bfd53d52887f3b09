import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contractHash,
  type FreezeLock,
  type FrozenState,
  type OpenApiDocument,
  type Tape,
  tapeHash,
} from '@dateline/versions';
import { StartupError } from '../../../errors/startup-error.ts';
import { errorMessage } from '../../../kernel/error-facts.ts';

/** Where frozen versions are kept: those of this repository, or those of an API folder. */
export interface FrozenLocation {
  root: string;
  /** Relative to the root. */
  folder: string;
}

const LOCK = 'lock.json';
const CONTRACT = 'contract.json';
const TAPE = 'tape.json';
const STATES_MAX = 50;

/** Adds a version, or the new text of one. */
export function writeContract(location: FrozenLocation, version: string, document: OpenApiDocument): void {
  mkdirSync(pathIn(location, version), { recursive: true });
  writeFileSync(pathIn(location, version, CONTRACT), toText(document));
  const lock = readLock(location);
  writeLock(location, { ...lock, sha256: { ...lock.sha256, [version]: contractHash(document) } });
}

/** Removes a version with its tape. */
export function deleteFrozen(location: FrozenLocation, version: string): void {
  rmSync(pathIn(location, version), { recursive: true, force: true });
  const lock = readLock(location);
  writeLock(location, without(lock, version));
}

/** Removes all entries of this version from the lock. */
function without({ sha256, tape_sha256: tapes, ...lock }: FreezeLock, version: string): FreezeLock {
  const others = (hashes: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(hashes).filter(([name]) => name !== version));
  return { ...lock, sha256: others(sha256), ...(tapes && { tape_sha256: others(tapes) }) };
}

export function readLock(location: FrozenLocation): FreezeLock {
  return readJson<FreezeLock>(pathIn(location, LOCK));
}

/** The frozen files as they are in the work tree. A tape is read whenever it is asked for: it may be large, and nothing is served by it. */
export function readFrozenFiles(location: FrozenLocation): FrozenState {
  const lock = readLock(location);
  const versions = readdirSync(pathIn(location), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const read = <Content>(version: string, file: string) => readJson<Content>(pathIn(location, version, file));
  const taped = versions.filter((version) => existsSync(pathIn(location, version, TAPE)));
  return {
    lock,
    documents: Object.fromEntries(
      versions.map((version) => [version, read<OpenApiDocument>(version, CONTRACT)]),
    ),
    tapes: readLater(taped, (version) => read<Tape>(version, TAPE)),
  };
}

export function writeLock(location: FrozenLocation, lock: FreezeLock): void {
  writeFileSync(pathIn(location, LOCK), toText(lock));
}

/** Writes a tape, and its hash into the lock. */
export function writeTape(location: FrozenLocation, tape: Tape): void {
  const lock = readLock(location);
  writeFileSync(pathIn(location, tape.version, TAPE), toText(tape));
  const hashes = Object.entries({ ...lock.tape_sha256, [tape.version]: tapeHash(tape) });
  writeLock(location, { ...lock, tape_sha256: Object.fromEntries(hashes.sort()) });
}

/** The frozen files as they were at each commit that touched them, newest first; none outside of a git checkout. */
export function readFrozenHistory(location: FrozenLocation): FrozenState[] {
  const { root, folder } = location;
  const commits = git(root, 'log', `--max-count=${STATES_MAX}`, '--format=%H', '--', folder);
  return (commits ?? '')
    .split('\n')
    .filter(Boolean)
    .flatMap((commit) => readCommit(location, commit) ?? []);
}

/** Why an edit that was committed together with its hash may stay unseen; null where all of the past is there. */
export function historyGap({ root }: FrozenLocation, past: readonly FrozenState[]): string | null {
  if (git(root, 'rev-parse', '--is-shallow-repository')?.trim() === 'true')
    return 'History was not compared: this is a shallow clone; "git fetch --unshallow" gets the rest.';
  if (past.length > 0) return null;
  return 'History was not compared: the folder is in no git repository, or was never committed.';
}

function readCommit({ root, folder }: FrozenLocation, commit: string): FrozenState | null {
  // The dot: an API folder may be anywhere in its repository.
  const lockText = git(root, 'show', `${commit}:./${folder}/${LOCK}`);
  if (lockText === null) return null;
  const lock: FreezeLock = JSON.parse(lockText);
  const read = <Content>(hashes: Readonly<Record<string, string>>, file: string) =>
    readLater(Object.keys(hashes), (version): Content | undefined => {
      const text = git(root, 'show', `${commit}:./${folder}/${version}/${file}`);
      return text === null ? undefined : JSON.parse(text);
    });
  return {
    lock,
    documents: read<OpenApiDocument>(lock.sha256, CONTRACT),
    tapes: read<Tape>(lock.tape_sha256 ?? {}, TAPE),
  };
}

/** A record whose values are read on first use: most of the past is never needed. */
function readLater<Content>(
  versions: readonly string[],
  read: (version: string) => Content | undefined,
): Record<string, Content> {
  const later = versions.map((version) => [version, { enumerable: true, get: () => read(version) }] as const);
  return Object.defineProperties({}, Object.fromEntries(later)) as Record<string, Content>;
}

function git(root: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  } catch {
    return null;
  }
}

function pathIn({ root, folder }: FrozenLocation, ...names: string[]): string {
  return join(root, folder, ...names);
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readJson<Value>(path: string): Value {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartupError(
      `${path} cannot be read (${errorMessage(error)}); run this in the root of the repository or of an API folder.`,
    );
  }
}
