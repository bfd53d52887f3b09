import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} origin the seed that drew it, or who found it
 * @property {string} file
 * @property {string} operator
 * @property {string} replace what the file has exactly once
 * @property {string} by
 * @property {string[]} [tests] known to notice it, and run first
 * @property {string} [equivalent] why no test can notice it
 */

export const DATA = join(root, 'test', 'mutants', 'mutants.json');

/** @returns {Mutant[]} */
export function readMutants() {
  return JSON.parse(readFileSync(DATA, 'utf8'));
}

/** The text with the mutant in it. Throws where the mutant no longer applies. @param {Mutant} mutant */
export function mutated(text, { id, file, replace, by }) {
  const places = text.split(replace).length - 1;
  if (places !== 1)
    throw new Error(`Mutant ${id} no longer applies: ${file} has what it replaces ${places} times.`);
  return text.replace(replace, () => by);
}

/** Rooms as the table names them: those of `http` and `webhooks` are folders of theirs. */
export function roomOf(file) {
  const [top, room, folder] = file.replace(/^src\//, '').split('/');
  if (file.startsWith('versions/')) return 'versions';
  if (file.startsWith('client/')) return 'client';
  const hasFolders = top === 'http' || top === 'webhooks';
  return hasFolders && folder !== undefined ? `${top}/${room}` : top.replace(/\.ts$/, '');
}

/** True if a room is the named one or one of its folders. */
export function isIn(room, named) {
  return room === named || room.startsWith(`${named}/`);
}
