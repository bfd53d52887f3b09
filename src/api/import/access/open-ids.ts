import type { Contract } from '@dateline/versions';
import { isPart } from '../../document/parts.ts';
import { belowPlace, type DocumentTree, inEntry } from '../document-tree.ts';
import type { ImportNotes } from '../import-notes.ts';
import { addressOf } from '../name-operations.ts';
import { operationsOf } from '../places.ts';

/** The ids of operations and webhooks that need no token: all of them are `*`. */
export function openIds(tree: DocumentTree, notes: ImportNotes, contract: Contract): '*' | string[] {
  const ids = new Map(contract.operations.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const kinds = new Set(contract.events.map(({ kind }) => kind));
  const served = operationsOf(tree).flatMap((operation) => {
    const id = operation.section === 'webhooks' ? operation.name : ids.get(addressOf(operation));
    const isServed = operation.section === 'webhooks' ? kinds.has(operation.name) : id !== undefined;
    return isServed && id !== undefined ? [{ id, operation }] : [];
  });
  const open = served.filter(
    ({ operation: { place, part } }) =>
      !Object.hasOwn(part, 'x-scopes') && isOpen(tree, belowPlace(place, 'security')),
  );
  for (const { operation } of open)
    notes.add(
      'decide',
      tree.sourceOf(operation.place),
      'it needs no token, as the document has it: it is listed under open in dateline.config.mjs',
    );
  return open.length > 0 && open.length === served.length ? '*' : open.map(({ id }) => id);
}

function isOpen(tree: DocumentTree, own: ReturnType<typeof inEntry>): boolean {
  const stated = tree.valueAt(own) ?? tree.valueAt(inEntry('security'));
  if (!Array.isArray(stated) || stated.length === 0) return true;
  return stated.some((one: unknown) => isPart(one) && Object.keys(one).length === 0);
}
