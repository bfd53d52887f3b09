import { pointerBelow } from '@dateline/versions';
import { isPart, type Part } from '../../document/parts.ts';
import { isSame } from '../contract-text.ts';

/** Three states of one value: how it was imported last, how it was edited since then, and how it is in the new document. */
export interface ThreeStates {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

/** An edit that the new document contradicts. */
export interface MergeConflict {
  pointer: string;
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  value: unknown;
  conflicts: readonly MergeConflict[];
}

/** Takes over what the new document changed, and keeps what was edited. Where both changed the same, the edit stays and is named. */
export function mergeValues(states: ThreeStates): Merged {
  const conflicts: MergeConflict[] = [];
  return { value: merged(states, '', conflicts), conflicts };
}

function merged({ base, mine, theirs }: ThreeStates, pointer: string, conflicts: MergeConflict[]): unknown {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  if (isPart(mine) && isPart(theirs))
    return mergedParts(
      { base: isPart(base) ? base : {}, mine, theirs },
      { at: pointer, isList: false },
      conflicts,
    );
  const lists = Array.isArray(mine) && Array.isArray(theirs) ? keyedLists(base, mine, theirs) : null;
  if (lists) return Object.values(mergedParts(lists, { at: pointer, isList: true }, conflicts));
  conflicts.push({ pointer, mine, theirs });
  return mine;
}

interface ThreeParts {
  base: Part;
  mine: Part;
  theirs: Part;
}

/** In the order of the new document; what was added by hand comes after what it stood behind. */
function mergedParts(
  { base, mine, theirs }: ThreeParts,
  { at, isList }: { at: string; isList: boolean },
  conflicts: MergeConflict[],
): Part {
  const places = Object.keys(mine);
  const entries = namesInOrder(mine, theirs).flatMap((name): [string, unknown][] => {
    const value = merged(
      { base: own(base, name), mine: own(mine, name), theirs: own(theirs, name) },
      pointerBelow(at, isList && places.includes(name) ? places.indexOf(name) : name),
      conflicts,
    );
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const own = (part: Part, name: string): unknown => (Object.hasOwn(part, name) ? part[name] : undefined);

function namesInOrder(mine: Part, theirs: Part): string[] {
  const names = Object.keys(theirs);
  const known = new Set(names);
  let at = 0;
  for (const name of Object.keys(mine)) {
    if (known.has(name)) at = names.indexOf(name) + 1;
    else {
      names.splice(at, 0, name);
      at += 1;
    }
  }
  return names;
}

/** Lists whose items can be told apart, as objects; null where they cannot. */
function keyedLists(base: unknown, mine: readonly unknown[], theirs: readonly unknown[]): ThreeParts | null {
  const all = [Array.isArray(base) ? base : [], mine, theirs].map(byKey);
  const [first, second, third] = all;
  return first && second && third ? { base: first, mine: second, theirs: third } : null;
}

function byKey(list: readonly unknown[]): Part | null {
  const keys = list.map(itemKey);
  if (keys.includes(null) || new Set(keys).size < keys.length) return null;
  return Object.fromEntries(list.map((item, index) => [`=${keys[index]}`, item]));
}

/** Parameters are told apart by place and name, tags by name, servers by address, references by text. */
function itemKey(item: unknown): string | null {
  if (!isPart(item)) return typeof item === 'object' ? null : JSON.stringify(item);
  const { in: sentIn, name, url, $ref } = item;
  const named = [$ref, sentIn, name, url].filter((one) => typeof one === 'string');
  if (named.length > 0) return JSON.stringify([$ref, sentIn, name, url]);
  return null;
}
