import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FreezeLock, FrozenState } from '../versions/freeze-gate.ts';
import type { OpenApiDocument } from '../versions/openapi.ts';
import { CommandError } from './command-error.ts';

// Maintainers' commands work on the repository they are run in.
export const FROZEN_FOLDER = 'src/contracts/frozen';
export const LOCK_FILE = `${FROZEN_FOLDER}/lock.json`;

const STATES_MAX = 50;

/** The frozen files as they are in the work tree. */
export function readFrozenFiles(root: string): FrozenState {
  const lock = readJson<FreezeLock>(join(root, LOCK_FILE));
  const versions = readdirSync(join(root, FROZEN_FOLDER), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const documents = versions.map(({ name }) => [
    name,
    readJson<OpenApiDocument>(join(root, FROZEN_FOLDER, name, 'contract.json')),
  ]);
  return { lock, documents: Object.fromEntries(documents) };
}

export function writeLock(root: string, lock: FreezeLock): void {
  writeFileSync(join(root, LOCK_FILE), `${JSON.stringify(lock, null, 2)}\n`);
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
  const lock = JSON.parse(lockText) as FreezeLock;
  const documents = Object.keys(lock.sha256).flatMap((version) => {
    const text = git(root, 'show', `${commit}:${FROZEN_FOLDER}/${version}/contract.json`);
    return text === null ? [] : [[version, JSON.parse(text) as OpenApiDocument] as const];
  });
  return { lock, documents: Object.fromEntries(documents) };
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

function readJson<Value>(path: string): Value {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read (${(error as Error).message}); run this in the root of the repository.`,
    );
  }
}
