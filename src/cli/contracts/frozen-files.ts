import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FreezeLock,
  type FrozenState,
  type OpenApiDocument,
  type Tape,
  tapeHash,
} from '@dateline/versions';
import { errorMessage } from '../../kernel/error-facts.ts';
import { CommandError } from '../command-error.ts';

// Maintainers' commands work on the repository they are run in.
export const FROZEN_FOLDER = 'src/contracts/frozen';
export const LOCK_FILE = `${FROZEN_FOLDER}/lock.json`;

const CONTRACT = 'contract.json';
const TAPE = 'tape.json';
const STATES_MAX = 50;

/** The frozen files as they are in the work tree. */
export function readFrozenFiles(root: string): FrozenState {
  const lock = readJson<FreezeLock>(join(root, LOCK_FILE));
  const versions = readdirSync(join(root, FROZEN_FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const read = <Content>(version: string, file: string) =>
    [version, readJson<Content>(join(root, FROZEN_FOLDER, version, file))] as const;
  const taped = versions.filter((version) => existsSync(join(root, FROZEN_FOLDER, version, TAPE)));
  return {
    lock,
    documents: Object.fromEntries(versions.map((version) => read<OpenApiDocument>(version, CONTRACT))),
    tapes: Object.fromEntries(taped.map((version) => read<Tape>(version, TAPE))),
  };
}

export function writeLock(root: string, lock: FreezeLock): void {
  writeFileSync(join(root, LOCK_FILE), toText(lock));
}

/** Writes a tape, and its hash into the lock. */
export function writeTape(root: string, tape: Tape): void {
  const { lock } = readFrozenFiles(root);
  writeFileSync(join(root, FROZEN_FOLDER, tape.version, TAPE), toText(tape));
  const hashes = Object.entries({ ...lock.tape_sha256, [tape.version]: tapeHash(tape) });
  writeLock(root, { ...lock, tape_sha256: Object.fromEntries(hashes.sort()) });
}

/** The frozen files as they were at each commit that touched them, newest first; none outside of a git checkout. */
export function readFrozenHistory(root: string): FrozenState[] {
  const commits = git(root, 'log', `--max-count=${STATES_MAX}`, '--format=%H', '--', FROZEN_FOLDER);
  return (commits ?? '')
    .split('\n')
    .filter(Boolean)
    .flatMap((commit) => readCommit(root, commit) ?? []);
}

function readCommit(root: string, commit: string): FrozenState | null {
  const lockText = git(root, 'show', `${commit}:${LOCK_FILE}`);
  if (lockText === null) return null;
  const lock: FreezeLock = JSON.parse(lockText);
  const read = <Content>(hashes: Readonly<Record<string, string>>, file: string) =>
    readLater(Object.keys(hashes), (version): Content | undefined => {
      const text = git(root, 'show', `${commit}:${FROZEN_FOLDER}/${version}/${file}`);
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

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readJson<Value>(path: string): Value {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read (${errorMessage(error)}); run this in the root of the repository.`,
    );
  }
}
