import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';

const FILE = join(root, '.mutants', 'results.json');

/**
 * @typedef {object} Result
 * @property {'killed' | 'survived'} verdict
 * @property {'test' | 'types' | 'time'} [by]
 * @property {string} [failure] the first test that failed
 * @property {number} seconds
 * @property {string} testsHash of those that a survivor was run against
 */

/** The stored results, by the contents of the mutated file. */
export function openResults() {
  const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  return {
    /** A killed one stays killed; a survivor counts for the same tests only. @returns {Result | undefined} */
    of({ key, testsHash }) {
      const result = known[key];
      return result?.verdict === 'killed' || result?.testsHash === testsHash ? result : undefined;
    },
    set({ key, testsHash }, result) {
      known[key] = { ...result, testsHash };
      mkdirSync(dirname(FILE), { recursive: true });
      writeFileSync(FILE, `${JSON.stringify(known, null, 1)}\n`);
    },
  };
}

export function hashOf(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}
