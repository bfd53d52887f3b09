import { isPart, isTexts, type Part } from '../openapi/plain-data.ts';
import { definitionIn, nameOfDefinition } from '../schema/schema-definitions.ts';

/** A value of a contract, and the definitions that its references lead to. */
export interface Side {
  value: unknown;
  definitions?: unknown;
}

/** One difference between two values. */
export interface FoundDifference {
  path: string;
  /** The definitions that it stands in, the nearest ones; null where it stands in none. */
  definitions: Definitions;
  /** The path in there. */
  local: string;
  /** The same for the definitions around those, the nearest ones first. */
  around: readonly Pick<FoundDifference, 'definitions' | 'local'>[];
  /** Of a list of required properties: those that only one of the two has. */
  names?: readonly string[];
}

export interface Definitions {
  older: string | null;
  newer: string | null;
}

/** Two values that belong together, compared up to their references: those lead to other pairs. */
interface Pair {
  /** What they are called; null where they stand in place. */
  definitions: Definitions;
  /** The paths of the differences; empty for the values themselves. */
  differences: readonly LocalDifference[];
  references: readonly Reference[];
}

type LocalDifference = Pick<FoundDifference, 'names'> & { path: string };

interface Reference {
  path: string;
  to: Pair;
}

/** A pair on the way to differences, and the way. */
interface Step {
  pair: Pair;
  path: string;
  before: Step | null;
}

/** A difference in what is referred to from more places of one part is named in so many of them. */
const PLACES_MAX = 20;

/** Returns a function that lists the paths of all differences between two values. What is referred to often is compared once. */
export function createComparison(): (older: Side, newer: Side) => FoundDifference[] {
  const pairs = new WeakMap<object, WeakMap<object, Pair>>();
  // One after the other: references may follow each other through the whole of a document.
  const waiting: (() => void)[] = [];

  function pairOf(older: Side, newer: Side): Pair {
    const [one, other] = [resolved(older), resolved(newer)];
    if (!isPart(one.value) || !isPart(other.value)) return compared(one, other);
    const known = pairs.get(one.value) ?? new WeakMap<object, Pair>();
    pairs.set(one.value, known);
    const found = known.get(other.value);
    if (found) return found;
    // What refers to itself finds this one, and gets the rest when it is there.
    const pair: Pair = { ...SAME, definitions: { older: one.name, newer: other.name } };
    known.set(other.value, pair);
    waiting.push(() => {
      const { differences, references } = compared(one, other);
      Object.assign(pair, { differences, references });
    });
    return pair;
  }

  function compared(older: Side, newer: Side): Pair {
    if (older.value === newer.value && older.definitions === newer.definitions) return SAME;
    if (isPart(older.value) && isPart(newer.value)) return comparedMembers(older, newer);
    if (isPartList(older.value) && isPartList(newer.value)) return comparedLists(older, newer);
    return JSON.stringify(older.value) === JSON.stringify(newer.value) ? SAME : MISSING;
  }

  function comparedMembers(older: Side, newer: Side): Pair {
    const [one, other] = [scoped(older), scoped(newer)];
    const names = [...new Set([...Object.keys(one.value), ...Object.keys(other.value)])].sort();
    const isThere = (part: Part, name: string): boolean => part[name] !== undefined;
    return joinedPairs(
      names
        .filter((name) => name !== '$defs' && (isThere(one.value, name) || isThere(other.value, name)))
        .map((name) => {
          if (name === 'required') return [name, comparedNames(one.value[name], other.value[name])];
          if (!isThere(one.value, name) || !isThere(other.value, name)) return [name, MISSING];
          return [name, below(memberOf(one, name), memberOf(other, name))];
        }),
    );
  }

  function comparedLists(older: Side, newer: Side): Pair {
    return joinedPairs(
      itemPairs(listIn(older), listIn(newer)).map(({ index, one, other }) => [
        String(index),
        one && other ? below({ ...older, value: one }, { ...newer, value: other }) : MISSING,
      ]),
    );
  }

  /** Up to a reference, it is one comparison. */
  function below(older: Side, newer: Side): Pair {
    const [one, other] = [withReferenceApart(older), withReferenceApart(newer)];
    if (!refers(one) && !refers(other)) return compared(one, other);
    return { ...SAME, references: [{ path: '', to: pairOf(one, other) }] };
  }

  return (older, newer) => {
    const pair = below(older, newer);
    for (let compare = waiting.pop(); compare; compare = waiting.pop()) compare();
    const leadsOn = reaching(pair);
    return [
      ...pair.differences.map((difference) => placed(difference, { pair, path: '', before: null })),
      ...pair.references.flatMap((reference) => differencesBelow(reference, leadsOn)),
    ];
  };
}

const SAME: Pair = { definitions: { older: null, newer: null }, differences: [], references: [] };
const MISSING: Pair = { ...SAME, differences: [{ path: '' }] };

/** Lists of required properties, as sets of names. `required` of a parameter is a truth value. */
function comparedNames(older: unknown, newer: unknown): Pair {
  if (JSON.stringify(older) === JSON.stringify(newer)) return SAME;
  const [one, other] = [older ?? [], newer ?? []];
  if (!isTexts(one) || !isTexts(other)) return MISSING;
  const names = [
    ...one.filter((name) => !other.includes(name)),
    ...other.filter((name) => !one.includes(name)),
  ];
  return { ...SAME, differences: [{ path: '', names }] };
}

function placed({ path: local, names }: LocalDifference, step: Step): FoundDifference {
  const path = joinPath(step.path, local);
  const around: Pick<FoundDifference, 'definitions' | 'local'>[] = [];
  for (let above = step.before; above !== null; above = above.before)
    around.push({ definitions: above.pair.definitions, local: path.slice(above.path.length + 1) });
  return { path, definitions: step.pair.definitions, local, around, ...(names && { names }) };
}

function joinedPairs(named: readonly (readonly [string, Pair])[]): Pair {
  const prefixed = (name: string, path: string): string => (path === '' ? name : `${name}.${path}`);
  return {
    ...SAME,
    differences: named.flatMap(([name, { differences }]) =>
      differences.map((difference) => ({ ...difference, path: prefixed(name, difference.path) })),
    ),
    references: named.flatMap(([name, { references }]) =>
      references.map(({ path, to }) => ({ path: prefixed(name, path), to })),
    ),
  };
}

/** The differences that a reference leads to, the nearest first. */
function differencesBelow({ path, to }: Reference, leadsOn: ReadonlySet<Pair>): FoundDifference[] {
  const found: FoundDifference[] = [];
  const visits = new Map<Pair, number>();
  const queue: Step[] = leadsOn.has(to) ? [{ pair: to, path, before: null }] : [];
  for (const step of queue) {
    const count = (visits.get(step.pair) ?? 0) + 1;
    visits.set(step.pair, count);
    if (count > PLACES_MAX) continue;
    found.push(...step.pair.differences.map((difference) => placed(difference, step)));
    for (const reference of step.pair.references)
      if (leadsOn.has(reference.to) && !isPassed(step, reference.to))
        queue.push({ pair: reference.to, path: joinPath(step.path, reference.path), before: step });
  }
  return found;
}

function isPassed(step: Step, pair: Pair): boolean {
  for (let passed: Step | null = step; passed !== null; passed = passed.before)
    if (passed.pair === pair) return true;
  return false;
}

/** The pairs that differ, or lead to one that does. */
function reaching(root: Pair): ReadonlySet<Pair> {
  const from = new Map<Pair, Pair[]>([[root, []]]);
  for (const [pair] of from)
    for (const { to } of pair.references) {
      const others = from.get(to);
      if (others) others.push(pair);
      else from.set(to, [pair]);
    }
  const found = new Set([...from.keys()].filter(({ differences }) => differences.length > 0));
  for (const pair of found) for (const other of from.get(pair) ?? []) found.add(other);
  return found;
}

const joinPath = (one: string, other: string): string => [one, other].filter(Boolean).join('.');

function refers({ value }: Side): boolean {
  return isPart(value) && typeof value.$ref === 'string';
}

/** What stands beside a reference is joined with it. */
function withReferenceApart(side: Side): Side {
  const { value, definitions } = side;
  if (!isPart(value) || typeof value.$ref !== 'string') return side;
  const { $ref, $defs = definitions, allOf, ...beside } = value;
  if (Object.keys(beside).length === 0 && allOf === undefined) return { value: { $ref }, definitions: $defs };
  const parts = [{ $ref }, ...(Array.isArray(allOf) ? allOf : [])];
  return { value: { ...beside, allOf: parts }, definitions: $defs };
}

/** The definition that a reference leads to in the end, and its name. */
function resolved(side: Side, name: string | null = null): Side & { name: string | null } {
  const { value, definitions } = withReferenceApart(side);
  if (!isPart(value) || typeof value.$ref !== 'string') return { value, definitions, name };
  const { $ref } = value;
  return resolved({ value: definitionIn(definitions, $ref), definitions }, nameOfDefinition($ref));
}

function scoped({ value, definitions }: Side): { value: Part; definitions: unknown } {
  const part = isPart(value) ? value : {};
  return { value: part, definitions: part.$defs ?? definitions };
}

function memberOf({ value, definitions }: { value: Part; definitions: unknown }, name: string): Side {
  return { value: value[name], definitions };
}

function isPartList(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart);
}

function listIn({ value }: Side): readonly Part[] {
  return isPartList(value) ? value : [];
}

interface ItemPair {
  /** In the newer list, or of what the older one has beyond it. */
  index: number;
  one: Part | undefined;
  other: Part | undefined;
}

/** Items that are written alike belong together, wherever they stand; the others in their order. */
function itemPairs(older: readonly Part[], newer: readonly Part[]): ItemPair[] {
  const left = older.map((one) => ({ one, text: writtenText(one) }));
  const take = (text: string): Part | undefined => {
    const at = left.findIndex((item) => item.text === text);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.one;
  };
  const alike = newer.map((other) => ({ other, one: take(writtenText(other)) }));
  const paired = alike.map(({ other, one }, index) => ({ index, other, one: one ?? left.shift()?.one }));
  const beyond = left.map(({ one }, offset) => ({ index: newer.length + offset, one, other: undefined }));
  return [...paired, ...beyond];
}

/** The definitions of a document are the same for all of its schemas, and as long as the document. */
function writtenText(item: Part): string {
  return JSON.stringify(item, (name, value: unknown) => (name === '$defs' ? undefined : value));
}
