import { copyOf, onOwnCopy } from '../../compile/own-copy.ts';
import type { Json } from '../../contract/change.ts';
import { isPart } from '../../openapi/plain-data.ts';
import type { FieldEdit, FieldPath } from '../written-change.ts';

/** Makes another object of one; the same where there is nothing to do. It changes none. */
type ObjectEdit = (object: Json) => Json;

/** The same of any value. */
export type ValueEdit = (value: unknown) => unknown;

/** One field edit in both directions; null where a direction has nothing to do. */
export interface FieldEdits {
  up: ValueEdit | null;
  down: ValueEdit | null;
}

/** What the contracts say about the field, as far as an edit depends on it. */
export interface FieldFacts {
  /** True where the newer version requires it. */
  isRequired: boolean;
  /** The values that the newer version still knows. */
  newerValues: ReadonlySet<unknown>;
}

export function fieldEdits(field: FieldPath, edit: FieldEdit, facts: FieldFacts): FieldEdits {
  const path = namesIn(field);
  if (path === null) return valueEdits(edit, facts);
  const { up, down } = objectEdits(path, edit, facts);
  return { up: up && ofObjects(up), down: down && ofObjects(down) };
}

/** At least one name. */
type NamePath = readonly [string, ...string[]];

function namesIn([first, ...further]: FieldPath): NamePath | null {
  return first === undefined ? null : [first, ...further];
}

function ofObjects(edit: ObjectEdit): ValueEdit {
  return (value) => (isPart(value) ? edit(value) : value);
}

/** The component is the value: it has no fields to add or move. */
function valueEdits(edit: FieldEdit, { newerValues }: FieldFacts): FieldEdits {
  if (edit.kind === 'values') {
    const down = new Map(Object.entries(edit.older));
    return { up: valueIn(olderToNewer(edit.older, newerValues)), down: valueIn(down) };
  }
  if (edit.kind !== 'changed') return { up: null, down: null };
  const { upgrade, downgrade } = edit;
  return { up: upgrade ? mappedBy(upgrade) : null, down: downgrade ? mappedBy(downgrade) : null };
}

/** What somebody's function edits in place is its own. */
function mappedBy(map: (value: never) => unknown): ValueEdit {
  return onOwnCopy((value) => map(value as never));
}

function objectEdits(
  field: NamePath,
  edit: FieldEdit,
  { isRequired, newerValues }: FieldFacts,
): { up: ObjectEdit | null; down: ObjectEdit | null } {
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
    case 'required':
      return { up: edit.newer ? filling(field, edit.newer) : null, down: null };
    case 'optional':
      return { up: null, down: edit.older ? filling(field, edit.older) : null };
    case 'moved': {
      const from = namesIn(edit.from);
      return from ? { up: moving(from, field), down: moving(field, from) } : { up: null, down: null };
    }
    case 'changed': {
      const { upgrade, downgrade } = edit;
      return {
        up: upgrade ? mapping(field, mappedBy(upgrade)) : null,
        down: downgrade ? mapping(field, mappedBy(downgrade)) : null,
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
function filling(path: NamePath, make: (object: Json) => unknown): ObjectEdit {
  return (object) => {
    if (read(object, path) !== undefined) return object;
    const value = copyOf(make(copyOf(object)));
    return value === undefined ? object : withValue(object, path, value);
  };
}

function mapping(path: NamePath, map: ValueEdit): ObjectEdit {
  return (object) => {
    const value = read(object, path);
    if (value === undefined) return object;
    const mapped = map(value);
    if (mapped === value) return object;
    return mapped === undefined ? without(object, path) : withValue(object, path, mapped);
  };
}

function moving(from: NamePath, to: NamePath): ObjectEdit {
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
  const rename = renamed(new Map([[from, to]]));
  return parents.reduceRight<ObjectEdit>(
    (edit, name) => (object) => {
      const inner = own(object, name);
      const edited = isPart(inner) ? edit(inner) : inner;
      return edited === inner ? object : { ...object, [name]: edited };
    },
    rename,
  );
}

/** What stands at one of the new names, and is none of the old ones, is beside the contract. */
function renamed(names: ReadonlyMap<string, string>): ObjectEdit {
  return (object) => {
    const found = [...names].filter(([from]) => Object.hasOwn(object, from));
    if (found.length === 0) return object;
    const taken = new Set(found.map(([, to]) => to));
    return Object.fromEntries(
      Object.entries(object)
        .filter(([name]) => names.has(name) || !taken.has(name))
        .map(([name, value]) => [names.get(name) ?? name, value]),
    );
  };
}

export function renamingAll(names: ReadonlyMap<string, string>): ValueEdit {
  return ofObjects(renamed(names));
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function read(object: Json, [name, ...further]: NamePath): unknown {
  const value = own(object, name);
  const [next, ...rest] = further;
  if (next === undefined) return value;
  return isPart(value) ? read(value, [next, ...rest]) : undefined;
}

function withValue(object: Json, [name, ...further]: NamePath, value: unknown): Json {
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
function without(object: Json, [name, ...further]: NamePath): Json {
  if (!Object.hasOwn(object, name)) return object;
  const [next, ...rest] = further;
  const held = own(object, name);
  if (next !== undefined) {
    if (!isPart(held)) return object;
    const left = without(held, [next, ...rest]);
    if (left === held) return object;
    if (Object.keys(left).length > 0) return withOwn(object, name, left);
  }
  const { [name]: _gone, ...others } = object;
  return others;
}
