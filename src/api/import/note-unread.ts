import { isPart } from '../document/parts.ts';
import { belowPlace, type DocumentTree } from './document-tree.ts';
import type { ImportNotes } from './import-notes.ts';
import { type FoundOperation, operationsOf, partAtPlace } from './places.ts';

/** Parts that stay in the document and that Dateline does not act on: people might take them for promises. */
export function noteUnread(tree: DocumentTree, notes: ImportNotes): void {
  for (const operation of operationsOf(tree)) {
    noteCallbacks(tree, notes, operation);
    noteBodyOfGet(tree, notes, operation);
    noteIgnoredHeaders(tree, notes, operation);
  }
}

function noteCallbacks(tree: DocumentTree, notes: ImportNotes, { place, part }: FoundOperation): void {
  if (!isPart(part.callbacks) || Object.keys(part.callbacks).length === 0) return;
  const reason =
    'callbacks stay as words: your server sends them itself; webhooks with versions are events (webhooks)';
  notes.add('decide', tree.sourceOf(belowPlace(place, 'callbacks')), reason);
}

function noteBodyOfGet(
  tree: DocumentTree,
  notes: ImportNotes,
  { place, part, method, section }: FoundOperation,
): void {
  if (section === 'webhooks' || part.requestBody === undefined || !/^(?:get|head)$/.test(method)) return;
  const reason = `a ${method.toUpperCase()} has no body: it is neither checked nor forwarded`;
  notes.add('decide', tree.sourceOf(belowPlace(place, 'requestBody')), reason);
}

/** Headers that OpenAPI has ignored among parameters. */
const IGNORED = /^(?:accept|authorization|content-type)$/i;

function noteIgnoredHeaders(tree: DocumentTree, notes: ImportNotes, { place, part }: FoundOperation): void {
  const list = Array.isArray(part.parameters) ? part.parameters : [];
  for (const index of list.keys()) {
    const at = belowPlace(place, 'parameters', index);
    const { in: sentIn, name } = partAtPlace(tree, at);
    if (sentIn !== 'header' || typeof name !== 'string' || !IGNORED.test(name)) continue;
    notes.add(
      'decide',
      tree.sourceOf(at),
      `OpenAPI has the parameter ${name} ignored: bodies and security say what it may be`,
    );
  }
}
