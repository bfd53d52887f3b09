import { keysOfPointer, pointerBelow, valueAt } from '@dateline/versions';
import { isPart } from '../document/parts.ts';
import { ENTRY, type SourcePlace } from './import-notes.ts';

/** The files of a document while it is made ready, and where each of their parts stood before. */
export interface DocumentTree {
  /** Parsed, by their names in `contract/`. */
  readonly files: Map<string, unknown>;
  /** Where the part at a place stood in the document that is imported. */
  sourceOf(place: SourcePlace): SourcePlace;
  valueAt(place: SourcePlace): unknown;
  /** Sets a member of an object. */
  set(place: SourcePlace, value: unknown): void;
  /** Takes a member out of an object, or an item out of a list. False where there is nothing. */
  remove(place: SourcePlace): boolean;
}

/** `sources` says where parts stood that have been brought to another place already. */
export function createDocumentTree(
  files: Map<string, unknown>,
  sources: WeakMap<object, SourcePlace> = new WeakMap(),
): DocumentTree {
  const at = ({ file, pointer }: SourcePlace): unknown => valueAt(files.get(file), pointer);

  function sourceOf({ file, pointer }: SourcePlace): SourcePlace {
    const rootValue = files.get(file);
    let value: unknown = rootValue;
    let source = known(value) ?? { file, pointer: '' };
    for (const key of keysOfPointer(pointer)) {
      value = valueAt(value, pointerBelow('', key));
      source = known(value) ?? { ...source, pointer: pointerBelow(source.pointer, key) };
    }
    return source;
  }

  const known = (value: unknown): SourcePlace | undefined =>
    typeof value === 'object' && value !== null ? sources.get(value) : undefined;

  /** The items after one that is taken out move up: where they stood is noted before. */
  function noteItems(list: readonly unknown[], place: SourcePlace): void {
    const source = sourceOf(place);
    for (const [index, item] of list.entries())
      if (typeof item === 'object' && item !== null && !sources.has(item))
        sources.set(item, { ...source, pointer: pointerBelow(source.pointer, index) });
  }

  function remove({ file, pointer }: SourcePlace): boolean {
    const { above, key } = split(pointer);
    const holder = at({ file, pointer: above });
    if (Array.isArray(holder)) {
      if (!Object.hasOwn(holder, key)) return false;
      noteItems(holder, { file, pointer: above });
      holder.splice(Number(key), 1);
      return true;
    }
    return isPart(holder) && Object.hasOwn(holder, key) && Reflect.deleteProperty(holder, key);
  }

  function set({ file, pointer }: SourcePlace, value: unknown): void {
    if (pointer === '') {
      files.set(file, value);
      return;
    }
    const { above, key } = split(pointer);
    const holder = at({ file, pointer: above });
    if (typeof holder === 'object' && holder !== null) Reflect.set(holder, key, value);
  }

  return { files, sourceOf, valueAt: at, set, remove };
}

/** A place in the document itself. */
export const inEntry = (...keys: readonly (string | number)[]): SourcePlace => ({
  file: ENTRY,
  pointer: pointerBelow('', ...keys),
});

/** A place below another one. */
export const belowPlace = (
  { file, pointer }: SourcePlace,
  ...keys: readonly (string | number)[]
): SourcePlace => ({ file, pointer: pointerBelow(pointer, ...keys) });

/** A pointer without its last key, and that key. */
function split(pointer: string): { above: string; key: string } {
  const key = keysOfPointer(pointer).at(-1) ?? '';
  return { above: pointer.slice(0, pointer.lastIndexOf('/')), key };
}
