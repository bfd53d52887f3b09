import { keysOfPointer, readReference } from '@dateline/versions';
import { isPart, type Part } from '../document/parts.ts';
import { belowPlace, type DocumentTree, inEntry } from './document-tree.ts';
import type { SourcePlace } from './import-notes.ts';

/** An operation of a document, or the post of a webhook. */
export interface FoundOperation {
  /** `paths` or `webhooks`. */
  section: 'paths' | 'webhooks';
  /** The path, or the kind of the events. */
  name: string;
  method: string;
  place: SourcePlace;
  part: Part;
  /** True where several paths refer to it. */
  isShared: boolean;
}

export const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** The operations of a document and its webhooks, in their order, wherever they are written. */
export function operationsOf(tree: DocumentTree): FoundOperation[] {
  const found = (['paths', 'webhooks'] as const).flatMap((section) => operationsIn(tree, section));
  const counts = new Map<Part, number>();
  for (const { part } of found) counts.set(part, (counts.get(part) ?? 0) + 1);
  return found.map((operation) => ({ ...operation, isShared: (counts.get(operation.part) ?? 0) > 1 }));
}

function operationsIn(
  tree: DocumentTree,
  section: FoundOperation['section'],
): Omit<FoundOperation, 'isShared'>[] {
  const items = tree.valueAt(inEntry(section));
  const names = isPart(items) ? Object.keys(items).filter((name) => !name.startsWith('x-')) : [];
  return names.flatMap((name) => {
    const place = followed(tree, inEntry(section, name));
    const item = tree.valueAt(place);
    if (!isPart(item)) return [];
    return METHODS.flatMap((method) => {
      const part = Object.hasOwn(item, method) ? item[method] : undefined;
      return isPart(part) ? [{ section, name, method, place: belowPlace(place, method), part }] : [];
    });
  });
}

const STEPS_MAX = 50;

/** Where a reference leads in the end; the same place where there is none, or where it leads nowhere. */
export function followed(tree: DocumentTree, from: SourcePlace): SourcePlace {
  let place = from;
  for (let step = 0; step < STEPS_MAX; step++) {
    const value = tree.valueAt(place);
    if (!isPart(value) || typeof value.$ref !== 'string') return place;
    const target = readReference(value.$ref, place.file);
    if (typeof target === 'string') return place;
    place = target;
  }
  return from;
}

/** The object at a place, through its references; an empty one where there is none. */
export function partAtPlace(tree: DocumentTree, place: SourcePlace): Part {
  const value = tree.valueAt(followed(tree, place));
  return isPart(value) ? value : {};
}

/** The last key of a place. */
export const keyOf = ({ pointer }: SourcePlace): string => keysOfPointer(pointer).at(-1) ?? '';
