// `node tools/mutants/draw.mjs seed count`: draws mutants over all rooms and adds them to test/mutants/mutants.json. The
// same tree and seed give the same mutants.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';
import { DATA, readMutants, roomOf } from './mutants.mjs';
import { mutationsOf } from './operators.mjs';

/** Data whose tests would be a copy of it, and what is generated. */
const ASIDE = /^src\/contracts\/(prose|head|frozen)\/|\/template\//;

/**
 * Draws by room, then by operator, then by place, so that neither a large room nor a frequent operator gets most of them.
 * @param {ReadonlyMap<string, string>} texts by path
 * @returns {import('./mutants.mjs').Mutant[]}
 */
export function draw(texts, seed, count) {
  const random = randomOf(seed);
  const places = [...texts].flatMap(([file, text]) =>
    mutationsOf(file, text).flatMap((mutation) => withContext(file, text, mutation) ?? []),
  );
  const shares = sharesOf(
    groupBy(places, ({ file }) => roomOf(file)),
    count,
  );
  const drawn = shares.flatMap(([room, share]) => drawFrom(room, share, random));
  return drawn.map((place, index) => ({
    id: `${seed}-${String(index + 1).padStart(3, '0')}`,
    origin: `seed ${seed}`,
    ...place,
  }));
}

/** Rooms that keep others out get three times as many. */
const GUARDS = ['oauth', 'webhooks/endpoints', 'http/edge', 'secrets'];

/** At least two of each room, the others by the square root of its size. */
function sharesOf(rooms, count) {
  const weights = [...rooms].map(
    ([room, places]) => (GUARDS.includes(room) ? 3 : 1) * Math.sqrt(places.length),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return [...rooms].map(([, places], index) => [
    places,
    Math.max(2, Math.round((count * weights[index]) / all)),
  ]);
}

function drawFrom(places, share, random) {
  const drawn = [];
  let left = places;
  while (drawn.length < share && left.length > 0) {
    const operators = [...groupBy(left, ({ operator }) => operator).values()];
    const place = pick(pick(operators, random), random);
    drawn.push(place);
    // One for each place: two there would be noticed by the same test.
    left = left.filter(({ file, replace }) => file !== place.file || replace !== place.replace);
  }
  return drawn;
}

/** The lines of a mutation, with as many around them as make them unique. */
function withContext(file, text, { operator, start, end, by }) {
  let [from, to] = [text.lastIndexOf('\n', start - 1) + 1, lineEnd(text, end)];
  while (text.split(text.slice(from, to)).length > 2) {
    if (from === 0) return undefined;
    from = text.lastIndexOf('\n', from - 2) + 1;
  }
  const replace = text.slice(from, to);
  return { file, operator, replace, by: text.slice(from, start) + by + text.slice(end, to) };
}

function lineEnd(text, index) {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}

function groupBy(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

/** Mulberry32. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sources() {
  const files = ['src', 'versions/src', 'client/src/core'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) =>
      relative(root, join(root, top, name)),
    ),
  );
  return new Map(
    files
      .filter((file) => file.endsWith('.ts') && !ASIDE.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}

function main([seed, count]) {
  if (!(Number(seed) >= 0 && Number(count) > 0)) throw new Error('Call it with a seed and a count.');
  const known = existsSync(DATA) ? readMutants() : [];
  if (known.some(({ origin }) => origin === `seed ${seed}`))
    throw new Error(`Seed ${seed} was drawn already.`);
  const drawn = draw(sources(), Number(seed), Number(count));
  mkdirSync(dirname(DATA), { recursive: true });
  writeFileSync(DATA, `${JSON.stringify([...known, ...drawn], null, 2)}\n`);
  console.log(`${drawn.length} drawn`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
