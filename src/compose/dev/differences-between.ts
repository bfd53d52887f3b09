/** One place where two values differ. `was` or `is` is undefined where there is nothing on that side. */
export interface ValueDifference {
  /** Such as `body.items[].qty`: items of a list are all alike. */
  place: string;
  was?: unknown;
  is?: unknown;
  /** The place that the same value has now, if its name changed. */
  renamedTo?: string;
  /** Items of lists in which it is the same. */
  times: number;
}

/** What is different between two pieces of data, told once for all items of a list. The places begin with `root`. */
export function differencesBetween(root: string, before: unknown, after: unknown): ValueDifference[] {
  const told = new Map<string, ValueDifference>();
  for (const difference of differencesAt(root, before, after)) {
    const key = JSON.stringify([difference.place, difference.renamedTo, kindOf(difference)]);
    const known = told.get(key);
    if (known) known.times += 1;
    else told.set(key, { ...difference, times: 1 });
  }
  return [...told.values()];
}

type Found = Omit<ValueDifference, 'times'>;

function kindOf({ was, is }: Found): string {
  return was === undefined ? 'came' : is === undefined ? 'left' : 'changed';
}

function* differencesAt(place: string, before: unknown, after: unknown): Generator<Found> {
  if (isSame(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* differencesAt(`${place}[]`, item, after[index]);
  } else if (isObject(before) && isObject(after)) yield* betweenObjects(place, before, after);
  else yield { place, was: before, is: after };
}

type Part = Readonly<Record<string, unknown>>;

function* betweenObjects(place: string, before: Part, after: Part): Generator<Found> {
  const at = (name: string): string => (place === '' ? name : `${place}.${name}`);
  const left = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const came = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  for (const name of left) {
    const renamed = [...came].find((other) => isSame(before[name], after[other]));
    if (renamed === undefined) yield { place: at(name), was: before[name] };
    else {
      came.delete(renamed);
      yield { place: at(name), renamedTo: renamed, was: before[name], is: before[name] };
    }
  }
  for (const name of came) yield { place: at(name), is: after[name] };
  for (const name of Object.keys(before))
    if (Object.hasOwn(after, name)) yield* differencesAt(at(name), before[name], after[name]);
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
