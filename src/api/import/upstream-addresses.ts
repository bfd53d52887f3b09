import { urlOf } from '../../kernel/url.ts';
import { isPart, listIn, type Part, partIn, textIn } from '../document/parts.ts';
import { belowPlace, type DocumentTree, inEntry } from './document-tree.ts';
import type { ImportNotes } from './import-notes.ts';
import { operationsOf } from './places.ts';

/** The addresses of the server behind the API. */
export interface UpstreamAddresses {
  production: string;
  sandbox: string;
  audience: string;
}

/** Reads them from the servers of a document; what it does not say is a place to fill in. */
export function upstreamAddresses(tree: DocumentTree, notes: ImportNotes, name: string): UpstreamAddresses {
  const root = tree.valueAt(inEntry());
  const servers = isPart(root) ? listIn(root, 'servers') : [];
  const known = servers.map((server) => ({ address: addressOf(server), isTest: isTest(server) }));
  const addresses = known.flatMap(({ address, isTest }) => (address === null ? [] : [{ address, isTest }]));
  const [production] = secureFirst(addresses.filter(({ isTest }) => !isTest).map(({ address }) => address));
  const [test] = secureFirst(addresses.filter(({ isTest }) => isTest).map(({ address }) => address));
  const path = servers.map(pathOf).find((one) => one !== '') ?? '';
  const chosen = {
    production: production ?? `https://${name}.example${path}`,
    sandbox: test ?? `http://127.0.0.1:7101${production === undefined ? path : pathIn(production)}`,
  };
  noteChoice(notes, {
    servers: tree.sourceOf(inEntry('servers')),
    ...chosen,
    isKnown: production !== undefined,
    hasTest: test !== undefined,
  });
  noteOwnServers(tree, notes);
  return {
    ...chosen,
    audience: production === undefined ? `https://${name}.example` : new URL(production).origin,
  };
}

interface Choice {
  servers: ReturnType<typeof inEntry>;
  production: string;
  sandbox: string;
  isKnown: boolean;
  hasTest: boolean;
}

function noteChoice(notes: ImportNotes, { servers, production, sandbox, isKnown, hasTest }: Choice): void {
  const source = servers;
  notes.add(
    'decide',
    source,
    isKnown
      ? `calls in production go to ${production}: say whether that is the server behind Dateline (upstream.production)`
      : `no address of a server is in the document, so ${production} stands for it: write yours (upstream.production)`,
  );
  notes.add(
    'decide',
    source,
    hasTest
      ? `calls in the sandbox go to ${sandbox} (upstream.sandbox)`
      : `no server for tests is in the document, so ${sandbox} stands for it: write yours (upstream.sandbox)`,
  );
}

/** Paths and operations may name servers of their own; Dateline has one for all. */
function noteOwnServers(tree: DocumentTree, notes: ImportNotes): void {
  const told = new Set<string>();
  for (const { place, section } of operationsOf(tree)) {
    if (section === 'webhooks') continue;
    const item = { ...place, pointer: place.pointer.slice(0, place.pointer.lastIndexOf('/')) };
    for (const at of [item, place]) {
      const servers = belowPlace(at, 'servers');
      if (tree.valueAt(servers) === undefined || told.has(servers.file + servers.pointer)) continue;
      told.add(servers.file + servers.pointer);
      notes.add(
        'decide',
        tree.sourceOf(servers),
        'all calls go to the one upstream of dateline.config.mjs, whatever stands here',
      );
    }
  }
}

/** The address of a server with the defaults of its variables; null where it is none that could be called. */
function addressOf(server: Part): string | null {
  const url = urlOf(filled(server));
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return null;
  return url.href.replace(/\/$/, '');
}

function filled(server: Part): string {
  const variables = partIn(server, 'variables');
  return textIn(server, 'url').replaceAll(/\{([^{}]+)\}/g, (_braces, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isPart(variable) && variable.default !== undefined ? String(variable.default) : name;
  });
}

/** The path of an address without a host, such as `/v2`. */
function pathOf(server: Part): string {
  const text = filled(server).replace(/\/$/, '');
  return /^\/(?!\/)[\w./~-]*$/.test(text) ? text : '';
}

const pathIn = (address: string): string => new URL(address).pathname.replace(/\/$/, '');

const TEST =
  /sandbox|staging|\bstage\b|\btest|\bdev\b|develop|\bdemo\b|\bqa\b|\buat\b|localhost|127\.0\.0\.1|\bmock/i;

const isTest = (server: Part): boolean => TEST.test(`${filled(server)} ${textIn(server, 'description')}`);

const secureFirst = (addresses: readonly string[]): string[] =>
  addresses.toSorted((one, other) => Number(other.startsWith('https:')) - Number(one.startsWith('https:')));
