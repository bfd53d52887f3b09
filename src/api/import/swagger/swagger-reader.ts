import { readReference, valueAt } from '@dateline/versions';
import { isPart, textsIn } from '../../document/parts.ts';
import { type DocumentTree, inEntry } from '../document-tree.ts';
import { ENTRY, type ImportNotes, type SourcePlace } from '../import-notes.ts';
import { keyOf } from '../places.ts';

/** A document of Swagger 2.0 that is being read, and where the parts that are made of it stood. */
export interface SwaggerReader {
  readonly tree: DocumentTree;
  readonly notes: ImportNotes;
  readonly sources: WeakMap<object, SourcePlace>;
  /** Media types of all operations that name none themselves. */
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Notes where a part that was made stood. */
  made<Made extends object>(part: Made, from: SourcePlace): Made;
  /** The text of a reference to a schema, in the document that is made. */
  schemaReference(text: string, from: SourcePlace): string;
  /** Schemas of other files that something refers to, by the names that they get. It grows while they are made. */
  readonly brought: ReadonlyMap<string, SourcePlace>;
}

export const JSON_TYPES: readonly string[] = ['application/json'];

export function createReader(tree: DocumentTree, notes: ImportNotes): SwaggerReader {
  const root = tree.valueAt(inEntry());
  const document = isPart(root) ? root : {};
  const sources = new WeakMap<object, SourcePlace>();
  const brought = new Map<string, SourcePlace>();
  const names = new Map<string, string>();
  const isTaken = (name: string): boolean =>
    brought.has(name) || valueAt(document, `/definitions/${name}`) !== undefined;

  function bring(target: SourcePlace): string {
    const key = `${target.file}#${target.pointer}`;
    const name = names.get(key) ?? freeName(nameOf(target), isTaken);
    if (!names.has(key)) brought.set(name, target);
    names.set(key, name);
    return name;
  }

  return {
    tree,
    notes,
    sources,
    consumes: namedTypes(textsIn(document, 'consumes')),
    produces: namedTypes(textsIn(document, 'produces')),
    brought,
    made(part, from) {
      sources.set(part, from);
      return part;
    },
    schemaReference(text, from) {
      const target = readReference(text, from.file);
      // What leads nowhere is refused by its text.
      if (typeof target === 'string' || tree.valueAt(target) === undefined) return text;
      if (target.file !== ENTRY) return `#/components/schemas/${bring(target)}`;
      return moved(text.startsWith('#') ? text : `#${encoded(target.pointer)}`);
    },
  };
}

const namedTypes = (types: readonly string[]): readonly string[] => (types.length > 0 ? types : JSON_TYPES);

/** Where the components of 2.0 are in 3. */
export function moved(text: string): string {
  return text
    .replace(/^#\/definitions\//, '#/components/schemas/')
    .replace(/^#\/(parameters|responses)\//, '#/components/$1/');
}

/** As a fragment of a URI may have it. */
const encoded = (pointer: string): string => pointer.replace(/[%\s"<>^`{|}\\]/g, encodeURIComponent);

function nameOf(target: SourcePlace): string {
  const fileName = (target.file.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  return (keyOf(target) || fileName).replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'Part';
}

function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}${number}`)) number++;
  return `${name}${number}`;
}
