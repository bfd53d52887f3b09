import { execFileSync } from 'node:child_process';
import { missingPrograms } from './programs.mjs';

/**
 * The last line of a run. What the run could not look at stands in it too, so that a green one says how far it is to be trusted.
 * @param {{ passed: number, failed: number }} counts
 * @param {readonly string[]} leftOut
 */
export function lastLine({ passed, failed }, leftOut) {
  const line = `${passed} passed, ${failed} failed`;
  return leftOut.length === 0 ? line : `${line} (${leftOut.join('; ')})`;
}

/** The checks that a run in this folder leaves out, each with its reason. */
export function leftOutIn(folder, missing = missingPrograms()) {
  const shallow = isShallow(folder) ? ['history was not compared: shallow clone'] : [];
  const skipped = missing.map(({ name }) => `skipped: tests that need ${name}`);
  return [...shallow, ...skipped];
}

function isShallow(folder) {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', '--is-shallow-repository'], options).trim() === 'true';
  } catch {
    return false; // No git, or no repository: a package that was unpacked has no history to compare with.
  }
}
