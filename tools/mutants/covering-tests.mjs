import { dirname } from 'node:path';
import { nodesBelow, parse } from '../syntax.mjs';

/**
 * The tests that call the function which a mutant is in, the nearest first, as many as fit into the time.
 * @param {{ file: string, text: string, position: number, secondsMax: number }} place
 * @param {ReadonlyMap<string, import('./calls.mjs').Calls>} calls
 * @returns {string[]}
 */
export function coveringTests({ file, text, position, secondsMax }, calls) {
  const names = functionsAt(file, text, position);
  const usable = [...calls].filter(([, { ok, calls: called }]) => ok && called[file] !== undefined);
  const callers = usable.filter(([, { calls: called }]) => called[file].some((name) => names.includes(name)));
  const ranked = (callers.length > 0 ? callers : usable)
    .map(([test, { seconds, calls: called }]) => ({
      test,
      seconds,
      near: nearness(file, test),
      breadth: breadthOf(called),
    }))
    .sort((one, other) => other.near - one.near || one.breadth - other.breadth);
  return fitting(ranked, secondsMax).map(({ test }) => test);
}

/** Those that fit, one after the other; the shortest where none does. */
function fitting(ranked, secondsMax) {
  let left = secondsMax;
  const chosen = ranked.filter(({ seconds }) => {
    if (seconds > left) return false;
    left -= seconds;
    return true;
  });
  const [shortest] = [...ranked].sort((one, other) => one.seconds - other.seconds);
  return chosen.length > 0 || shortest === undefined ? chosen : [shortest];
}

/** The number of folders that a test shares with a source: `test/oauth/` is near `src/oauth/tokens/`. */
function nearness(file, test) {
  const [folders, others] = [file, test].map((path) =>
    dirname(path)
      .split('/')
      .filter((name) => !/^(src|test)$/.test(name)),
  );
  return folders.filter((name) => others.includes(name)).length;
}

/** A test that calls little is about what it calls. */
function breadthOf(called) {
  return Object.values(called).reduce((sum, names) => sum + names.length, 0);
}

/**
 * The name of the function that a place is in; of a constant of the module, the names of those that use it. Nothing where that
 * does not say anything: then every test counts that calls the file.
 */
export function functionsAt(file, text, position) {
  const { program } = parse(file, text);
  const around = [...nodesBelow(program)].filter(({ node }) => node.start <= position && position < node.end);
  const names = around.flatMap(({ node, around: outer }) => nameOf(node, outer.at(-1)) ?? []);
  if (names.length > 0) return [names.at(-1)];
  const declared = around.find(({ node }) => node.type === 'VariableDeclarator')?.node.id.name;
  return declared === undefined ? [] : usersOf(program, declared);
}

function usersOf(program, declared) {
  const uses = [...nodesBelow(program)].filter(
    ({ node }) => node.type === 'Identifier' && node.name === declared,
  );
  return uses.flatMap(({ around }) =>
    around
      .map((node, index) => nameOf(node, around[index - 1]))
      .filter(Boolean)
      .slice(-1),
  );
}

function nameOf(node, parent) {
  if (!/Function/.test(node.type)) return undefined;
  return node.id?.name ?? parent?.id?.name ?? parent?.key?.name;
}
