import type { Json } from '../../contract/change.ts';
import { isPart } from '../../openapi/plain-data.ts';
import type { FieldEdit, FieldPath } from '../written-change.ts';

/** Makes another object of one; the same where there is nothing to do. It changes none. */
export type ObjectEdit = (object: Json) => Json;

/** One field edit in both directions; null where a direction has nothing to do. */
export interface FieldEdits {
  up: ObjectEdit | null;
  down: ObjectEdit | null;
}

/** What the contracts say about the field, as far as an edit depends on it. */
export interface FieldFacts {
  /** True where the newer version requires it. */
  isRequired: boolean;
  /** The values that the newer version still knows. */
  newerValues: ReadonlySet<unknown>;
}

export function fieldEdits(
  field: FieldPath,
  edit: FieldEdit,
  { isRequired, newerValues }: FieldFacts,
): FieldEdits {
  switch (edit.kind) {
    case 'added': {
      const { newer } = edit;
      return {
        up: newer && isRequired ? filling(field, newer) : null,
        down: (object) => without(object, field),
      };
    }
    case 'removed': {
      const { older } = edit;
      return { up: (object) => without(object, field), down: older ? filling(field, older) : null };
    }
    case 'moved':
      return { up: moving(edit.from, field), down: moving(field, edit.from) };
    case 'changed': {
      const { upgrade, downgrade } = edit;
      return {
        up: upgrade ? mapping(field, upgrade) : null,
        down: downgrade ? mapping(field, downgrade) : null,
      };
    }
    case 'values': {
      const [up, down] = [olderToNewer(edit.older, newerValues), new Map(Object.entries(edit.older))];
      return { up: mapping(field, valueIn(up)), down: mapping(field, valueIn(down)) };
    }
    default:
      return edit satisfies never;
  }
}

/** The values that several newer ones stand for, and that the newer version does not know: nobody could say which is meant. */
export function ambiguousValues(
  older: Readonly<Record<string, string>>,
  known: ReadonlySet<unknown>,
): string[] {
  const values = Object.values(older);
  return [...new Set(values)].filter(
    (value) => !known.has(value) && values.indexOf(value) !== values.lastIndexOf(value),
  );
}

function olderToNewer(
  older: Readonly<Record<string, string>>,
  known: ReadonlySet<unknown>,
): Map<string, string> {
  const pairs = Object.entries(older).map(([newer, value]) => [value, newer] as const);
  return new Map(pairs.filter(([value]) => !known.has(value)));
}

/** Lists of values are looked through. */
function valueIn(table: ReadonlyMap<string, string>): (value: unknown) => unknown {
  const one = (value: unknown): unknown => (typeof value === 'string' ? (table.get(value) ?? value) : value);
  return (value) => (Array.isArray(value) ? value.map(one) : one(value));
}

/** A value that is there is left alone, and so is what cannot be made. */
function filling(path: FieldPath, make: (object: Json) => unknown): ObjectEdit {
  return (object) => {
    if (read(object, path) !== undefined) return object;
    const value = make(object);
    return value === undefined ? object : withValue(object, path, value);
  };
}

function mapping(path: FieldPath, map: (value: never) => unknown): ObjectEdit {
  return (object) => {
    const value = read(object, path);
    if (value === undefined) return object;
    const mapped = map(value as never);
    if (mapped === value) return object;
    return mapped === undefined ? without(object, path) : withValue(object, path, mapped);
  };
}

function moving(from: FieldPath, to: FieldPath): ObjectEdit {
  const [fromName, toName] = [from.at(-1), to.at(-1)];
  const isRename = from.length === to.length && from.slice(0, -1).every((name, index) => name === to[index]);
  if (isRename && fromName !== undefined && toName !== undefined)
    return renaming(from.slice(0, -1), fromName, toName);
  return (object) => {
    const value = read(object, from);
    return value === undefined ? object : withValue(without(object, from), to, value);
  };
}

/** It keeps its place among its neighbours. */
function renaming(parents: readonly string[], from: string, to: string): ObjectEdit {
  const rename: ObjectEdit = (object) =>
    Object.hasOwn(object, from)
      ? Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]))
      : object;
  return parents.reduceRight<ObjectEdit>(
    (edit, name) => (object) => {
      const inner = own(object, name);
      const edited = isPart(inner) ? edit(inner) : inner;
      return edited === inner ? object : { ...object, [name]: edited };
    },
    rename,
  );
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function read(object: Json, [name, ...further]: FieldPath): unknown {
  const value = own(object, name);
  const [next, ...rest] = further;
  if (next === undefined) return value;
  return isPart(value) ? read(value, [next, ...rest]) : undefined;
}

function withValue(object: Json, [name, ...further]: FieldPath, value: unknown): Json {
  const [next, ...rest] = further;
  const held = own(object, name);
  const inner = next === undefined ? value : withValue(isPart(held) ? held : {}, [next, ...rest], value);
  return withOwn(object, name, inner);
}

/** A name such as `__proto__` is a name like any other. */
function withOwn(object: Json, name: string, value: unknown): Json {
  const copy = { ...object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** Objects that are empty then leave with it. */
function without(object: Json, [name, ...further]: FieldPath): Json {
  if (!Object.hasOwn(object, name)) return object;
  const [next, ...rest] = further;
  const held = own(object, name);
  if (next !== undefined) {
    if (!isPart(held)) return object;
    const left = without(held, [next, ...rest]);
    if (left === held) return object;
    if (Object.keys(left).length > 0) return withOwn(object, name, left);
  }
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}
