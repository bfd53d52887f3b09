import { basename } from 'node:path';
import { nodesBelow, parse } from '../syntax.mjs';

/**
 * The tests that call the function which a mutant is in, those first that are about it, as many as fit into the time.
 * @param {{ file: string, text: string, position: number, secondsMax: number }} place
 * @param {ReadonlyMap<string, import('./calls.mjs').Calls & { text: string }>} calls
 * @returns {string[]}
 */
export function coveringTests({ file, text, position, secondsMax }, calls) {
  const { names, words } = functionAt(file, text, position);
  const usable = [...calls].filter(([, { ok, calls: called }]) => ok && called[file] !== undefined);
  const callers = usable.filter(([, { calls: called }]) => called[file].some((name) => names.includes(name)));
  const ranked = rank(callers.length > 0 ? callers : usable, file, words);
  return fitting(ranked, secondsMax).map(({ test }) => test);
}

/** By the words that a test shares with the function, those that few tests have more than others, and by its path; short ones first. */
function rank(tests, file, words) {
  const wordsOf = new Map(tests.map(([test, { text }]) => [test, new Set(wordsIn(text))]));
  const weights = words.map((word) => {
    const users = [...wordsOf.values()].filter((known) => known.has(word)).length;
    return [word, Math.log((1 + tests.length) / (1 + users))];
  });
  const likeness = (test) =>
    weights.reduce((sum, [word, weight]) => sum + (wordsOf.get(test).has(word) ? weight : 0), 0);
  const score = (test, seconds) =>
    ((1 + likeness(test)) * (1 + nearness(file, test))) / Math.sqrt(1 + seconds);
  return tests
    .map(([test, { seconds }]) => ({ test, seconds, score: score(test, seconds) }))
    .sort((one, other) => other.score - one.score);
}

/** The tests that fit into the time, in order; the shortest if none does. */
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

/** The words that two paths share: `test/http/edge-server.test.ts` is near `src/http/edge/dispatch.ts`. */
function nearness(file, test) {
  const others = wordsIn(test);
  return new Set(wordsIn(file).filter((word) => others.includes(word) && word.length > 2)).size;
}

/**
 * The name of the function that a place is in, and its words; of a constant of the module, the names of those that use it. No
 * name where that does not say anything: then every test counts that calls the file.
 */
function functionAt(file, text, position) {
  const { program } = parse(file, text);
  const around = [...nodesBelow(program)].filter(({ node }) => node.start <= position && position < node.end);
  const functions = around.filter(({ node, around: outer }) => nameOf(node, outer.at(-1)) !== undefined);
  const { node, around: outer = [] } = functions.at(-1) ?? {};
  const declared = around.find(({ node: one }) => one.type === 'VariableDeclarator')?.node.id.name;
  const names = node ? [nameOf(node, outer.at(-1))] : declared ? usersOf(program, declared) : [];
  const inside = node ?? around[1]?.node ?? program;
  return {
    names,
    words: [
      ...new Set([...wordsIn(basename(file, '.ts')), ...wordsIn(text.slice(inside.start, inside.end))]),
    ],
  };
}

function usersOf(program, declared) {
  const uses = [...nodesBelow(program)].filter(
    ({ node }) => node.type === 'Identifier' && node.name === declared,
  );
  return uses.flatMap(({ around }) =>
    around.flatMap((node, index) => nameOf(node, around[index - 1]) ?? []).slice(-1),
  );
}

function nameOf(node, parent) {
  if (!/Function/.test(node.type)) return undefined;
  return node.id?.name ?? parent?.id?.name ?? parent?.key?.name;
}

/** `revokeToken` is two words. */
function wordsIn(text) {
  return (text.match(/[A-Z]?[a-z]{2,}|[A-Z]{2,}/g) ?? []).map((word) => word.toLowerCase());
}
