import type { ApiVersion, Contract } from '@dateline/versions';
import { isPart, textIn } from '../document/parts.ts';
import { FolderError, refuse } from '../folder/folder-problem.ts';
import type { Reserved } from '../folder/reserved.ts';
import { deriveAccess } from './access/derive-access.ts';
import { openIds } from './access/open-ids.ts';
import { createDocumentTree, type DocumentTree, inEntry } from './document-tree.ts';
import type { ImportedConfig } from './folder-config-text.ts';
import { createNotes, type ImportNotes, placeText } from './import-notes.ts';
import { leaveOutUnservable } from './leaving/leave-out.ts';
import { nameOperations } from './name-operations.ts';
import { noteUnread } from './note-unread.ts';
import type { SourceDocument } from './read-source.ts';
import { upgradeSwagger } from './swagger/upgrade-swagger.ts';
import { upgradeSchemas } from './upgrade-schemas.ts';
import { upstreamAddresses } from './upstream-addresses.ts';

/** A document as an API folder can serve it. */
export interface ConvertedDocument {
  /** By their names in `contract/`. */
  files: Map<string, unknown>;
  config: ImportedConfig;
  notes: ImportNotes;
  /** Such as `Swagger 2.0`. */
  edition: string;
  /** The version that the document gave itself. */
  version: string;
  /** How many operations and webhooks it has. */
  operations: number;
  webhooks: number;
}

export interface ConvertingRules {
  /** The version that the folder's document has. */
  next: ApiVersion;
  reserved: Reserved;
  /** Ids of an earlier import, by method and path. */
  earlier: ReadonlyMap<string, string>;
  say(sentence: string): void;
}

/** Makes of a document what an API folder can serve, and notes all that is another thing then. */
export function convertDocument(source: SourceDocument, rules: ConvertingRules): ConvertedDocument {
  const { next, reserved, say } = rules;
  const notes = createNotes();
  for (const place of source.prototypes) notes.add('left out', place, 'nothing can be called __proto__');
  const edition = editionOf(source);
  const tree = inCurrentEdition(withWebhooks(source.files, notes), edition, notes);
  const { title, version } = settleInfo(tree, notes, { next, name: source.name });
  const name = slugOf(title);
  nameOperations(tree, notes, { reserved: reserved.operationIds, earlier: rules.earlier });
  const access = deriveAccess(tree, notes, reserved.scopes);
  const reading = leaveOutUnservable({
    tree,
    notes,
    access,
    reserved,
    onRound: (count) =>
      say(`Leaving out what cannot be served: ${count} ${count === 1 ? 'problem' : 'problems'} left`),
  });
  const { contract } = reading;
  if (!contract) throw refuse(source.name, 'no contract can be made of it');
  if (contract.operations.length + contract.events.length === 0) throw nothingLeft(source.name, notes);
  noteUnread(tree, notes);
  noteMount(notes, reading.mount);
  const config: ImportedConfig = {
    title,
    setting: settingOf(name),
    mount: reading.mount,
    upstream: upstreamAddresses(tree, notes, name),
    scopes: neededScopes(contract, access.scopes),
    security: access.security,
    open: openIds(tree, notes, contract),
  };
  return {
    files: tree.files,
    config,
    notes,
    edition,
    version,
    operations: contract.operations.length,
    webhooks: contract.events.length,
  };
}

const TOLD_MAX = 5;

function nothingLeft(name: string, notes: ImportNotes): FolderError {
  const left = notes.all().filter(({ kind }) => kind === 'left out');
  return new FolderError([
    { file: name, path: '/paths', reason: 'it has no operation and no webhook that can be served' },
    ...left.slice(0, TOLD_MAX).map(({ at, reason }) => ({ file: name, path: placeText(at), reason })),
  ]);
}

function editionOf({ files, name }: SourceDocument): string {
  const root = files.get(inEntry().file);
  const { swagger, openapi } = isPart(root) ? root : { swagger: undefined, openapi: undefined };
  if (String(swagger).startsWith('2.')) return 'Swagger 2.0';
  if (typeof openapi === 'string' && /^3\.[01]\.\d/.test(openapi)) return `OpenAPI ${openapi}`;
  const found = openapi ?? swagger;
  throw refuse(
    name,
    found === undefined
      ? 'it says neither openapi nor swagger, so it is no OpenAPI document'
      : `it is of ${JSON.stringify(found)}; Swagger 2.0, OpenAPI 3.0 and 3.1 can be imported`,
  );
}

/** Before OpenAPI 3.1 had webhooks, documents had them as an extension of this name. */
function withWebhooks(files: Map<string, unknown>, notes: ImportNotes): DocumentTree {
  const { file } = inEntry();
  const root = files.get(file);
  const extension = isPart(root) ? root['x-webhooks'] : undefined;
  if (!isPart(root) || !isPart(extension) || root.webhooks !== undefined) return createDocumentTree(files);
  const members = Object.entries(root).map(([name, value]) => [
    name === 'x-webhooks' ? 'webhooks' : name,
    value,
  ]);
  files.set(file, Object.fromEntries(members));
  notes.add('changed', inEntry('x-webhooks'), 'in OpenAPI 3.1 it is webhooks');
  return createDocumentTree(files, new WeakMap([[extension, inEntry('x-webhooks')]]));
}

function inCurrentEdition(tree: DocumentTree, edition: string, notes: ImportNotes): DocumentTree {
  const upgraded = edition === 'Swagger 2.0' ? upgradeSwagger(tree, notes) : tree;
  if (!edition.startsWith('OpenAPI 3.1')) {
    upgradeSchemas(upgraded, notes, upgraded !== tree);
    if (upgraded === tree) notes.add('changed', inEntry('openapi'), 'it is 3.1.0');
    upgraded.set(inEntry('openapi'), '3.1.0');
  }
  return upgraded;
}

/** Title and version, as a folder needs them. */
function settleInfo(
  tree: DocumentTree,
  notes: ImportNotes,
  { next, name }: { next: ApiVersion; name: string },
): { title: string; version: string } {
  const stated = tree.valueAt(inEntry('info'));
  const info = isPart(stated) ? stated : {};
  const version =
    typeof info.version === 'string' || typeof info.version === 'number' ? String(info.version) : '';
  const title = oneLine(textIn(info, 'title')) || name.replace(/\.[^.]*$/, '');
  if (textIn(info, 'title') === '')
    notes.add('changed', inEntry('info', 'title'), `it has no title: it is ${title}`);
  tree.set(inEntry('info'), { ...info, ...(textIn(info, 'title') === '' ? { title } : {}), version: next });
  notes.add(
    'changed',
    inEntry('info', 'version'),
    `${JSON.stringify(info.version ?? null)} is ${next}: Dateline's versions are dated`,
  );
  return { title, version };
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200);

/** A title as the name of a folder. */
export function slugOf(title: string): string {
  const name = title
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return (
    name
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-+$/, '') || 'api'
  );
}

function settingOf(name: string): string {
  const words = name.toUpperCase().replaceAll('-', '_');
  return /^\d/.test(words) ? `API_${words}` : words;
}

function noteMount(notes: ImportNotes, mount: string): void {
  if (mount !== '')
    notes.add(
      'decide',
      inEntry('paths'),
      `some paths are Dateline's own, so callers find all of them below ${mount}, and your server without it (mount)`,
    );
}

/** All that are asked for, and all that the document describes. */
function neededScopes(
  { operations, events }: Contract,
  described: ReadonlyMap<string, string>,
): Map<string, string> {
  const asked = operations.flatMap(({ security }) =>
    security.scheme === 'bearer' ? [...security.scopes, ...(security.or ?? []).flat()] : [],
  );
  const needed = [...asked, ...events.flatMap(({ scopes = [] }) => scopes)];
  return new Map([
    ...described,
    ...needed.filter((name) => !described.has(name)).map((name) => [name, name] as const),
  ]);
}
