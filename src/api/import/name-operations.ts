import { isPart } from '../document/parts.ts';
import { belowPlace, type DocumentTree } from './document-tree.ts';
import type { ImportNotes } from './import-notes.ts';
import { type FoundOperation, operationsOf } from './places.ts';

export interface NamingRules {
  /** Ids that are Dateline's own. */
  reserved: ReadonlySet<string>;
  /** Ids that were made before, by method and path: they stay. */
  earlier: ReadonlyMap<string, string>;
}

/** Gives an id to each operation that has none, or one that another has already. The ids depend on method and path alone. */
export function nameOperations(tree: DocumentTree, notes: ImportNotes, rules: NamingRules): void {
  const operations = operationsOf(tree).filter(({ section }) => section === 'paths');
  const taken = new Set<string>(rules.reserved);
  const unnamed: FoundOperation[] = [];
  for (const operation of operations) {
    const { operationId: id } = operation.part;
    if (typeof id === 'string' && isUsable(id) && !taken.has(id)) taken.add(id);
    else if (!operation.isShared) unnamed.push(operation);
  }
  for (const operation of unnamed) {
    const id = freeId(operation, taken, rules.earlier);
    taken.add(id);
    rename(tree, notes, operation, id);
  }
}

function rename(tree: DocumentTree, notes: ImportNotes, { place, part }: FoundOperation, id: string): void {
  const { operationId: old } = part;
  const reason =
    old === undefined
      ? `it had none: it is ${id}`
      : `${JSON.stringify(old)} is the id of another operation, or cannot be one: it is ${id}`;
  notes.add('changed', belowPlace(tree.sourceOf(place), 'operationId'), reason);
  if (old !== undefined) tree.set(belowPlace(place, 'operationId'), id);
  else insertId(tree, { place, part }, id);
}

/** Behind the words of an operation, where people look for it. */
function insertId(
  tree: DocumentTree,
  { place, part }: Pick<FoundOperation, 'place' | 'part'>,
  id: string,
): void {
  const entries = Object.entries(part);
  for (const [name] of entries) tree.remove(belowPlace(place, name));
  const at = entries.findLastIndex(([name]) => WORDS.has(name)) + 1;
  for (const [name, value] of entries.toSpliced(at, 0, ['operationId', id]))
    tree.set(belowPlace(place, name), value);
}

const WORDS = new Set(['tags', 'summary', 'description']);

function isUsable(id: string): boolean {
  return id.length <= 500 && /^\P{Cc}+$/u.test(id) && !(id in Object.prototype);
}

/** The address of an operation: in one document there is no second one. */
export const addressOf = ({ method, name }: Pick<FoundOperation, 'method' | 'name'>): string =>
  `${method.toUpperCase()} ${name}`;

function freeId(
  operation: FoundOperation,
  taken: ReadonlySet<string>,
  earlier: ReadonlyMap<string, string>,
): string {
  const known = earlier.get(addressOf(operation));
  if (known !== undefined && !taken.has(known)) return known;
  const id = readableId(operation);
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}-${number}`)) number++;
  return `${id}-${number}`;
}

/** `orders:items:list` for `GET /orders/{id}/items`. */
function readableId({ method, name }: FoundOperation): string {
  const segments = name.split('/').filter((segment) => segment !== '');
  const words = segments.filter((segment) => !segment.startsWith('{')).map(asWord);
  return [...words.filter((word) => word !== ''), verbOf(method, segments.at(-1) ?? '')].join(':');
}

const asWord = (segment: string): string =>
  segment
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');

const VERBS: ReadonlyMap<string, string> = new Map([
  ['head', 'check'],
  ['post', 'create'],
  ['put', 'replace'],
  ['patch', 'update'],
  ['delete', 'delete'],
]);

/** A plural at the end of a path is a list. */
function verbOf(method: string, last: string): string {
  const isMany = !last.includes('{') && last.endsWith('s');
  return VERBS.get(method) ?? (isMany ? 'list' : 'read');
}

/** The ids of a document by method and path. */
export function idsOf(tree: DocumentTree): Map<string, string> {
  const named = operationsOf(tree).filter(({ section, part }) => section === 'paths' && isPart(part));
  return new Map(
    named.flatMap((operation) => {
      const { operationId: id } = operation.part;
      return typeof id === 'string' ? [[addressOf(operation), id] as const] : [];
    }),
  );
}
