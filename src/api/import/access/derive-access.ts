import { isPart, type Part, partIn, textIn } from '../../document/parts.ts';
import { belowPlace, type DocumentTree, inEntry } from '../document-tree.ts';
import type { ImportNotes, SourcePlace } from '../import-notes.ts';
import { type FoundOperation, operationsOf, partAtPlace } from '../places.ts';
import { createScopeNames, type ScopeNames } from './scope-names.ts';
import { consentOf, tagScopeOf } from './tag-scopes.ts';

/** The part of the configuration that says who may call what. */
export interface Access {
  /** The words that people read, by scope. */
  scopes: Map<string, string>;
  /** Schemes that are no tokens, with the scopes that stand for them. */
  security: Map<string, readonly string[]>;
}

/** Reads who may call what, and says so for tokens where the document speaks of other credentials, or of none. */
export function deriveAccess(tree: DocumentTree, notes: ImportNotes, reserved: ReadonlySet<string>): Access {
  const schemes = schemesOf(tree);
  const names = createScopeNames(reserved);
  const described = describedScopes(tree, schemes, names, notes);
  declareMissing(tree, notes, schemes);
  if (described.size > 0) {
    const named = renameRequired(tree, notes, names);
    return { scopes: new Map([...named, ...described]), security: otherSchemes(schemes, notes, tree) };
  }
  return { scopes: requireTagScopes(tree, notes, reserved), security: otherSchemes(schemes, notes, tree) };
}

const SCHEMES = inEntry('components', 'securitySchemes');

/** The security schemes by name, through their references. */
function schemesOf(tree: DocumentTree): Map<string, Part> {
  const declared = tree.valueAt(SCHEMES);
  const names = isPart(declared) ? Object.keys(declared) : [];
  return new Map(names.map((name) => [name, partAtPlace(tree, belowPlace(SCHEMES, name))]));
}

/** The scopes of OAuth flows, under names that Dateline can have. */
function describedScopes(
  tree: DocumentTree,
  schemes: ReadonlyMap<string, Part>,
  names: ScopeNames,
  notes: ImportNotes,
): Map<string, string> {
  const all = [...schemes].flatMap(([name, scheme]) =>
    Object.entries(partIn(scheme, 'flows')).flatMap(([flow, stated]) =>
      Object.entries(isPart(stated) ? partIn(stated, 'scopes') : {}).map(([scope, words]) => {
        const at = belowPlace(SCHEMES, name, 'flows', flow, 'scopes', scope);
        noteRenamed(notes, tree.sourceOf(at), scope, names.of(scope));
        return [names.of(scope), consentOf(words, scope)] as const;
      }),
    ),
  );
  return new Map(all);
}

function noteRenamed(notes: ImportNotes, at: SourcePlace, old: string, name: string): void {
  if (name !== old)
    notes.add(
      'changed',
      at,
      `${JSON.stringify(old)} cannot be a scope of yours: in the configuration it is ${name}`,
    );
}

/** A scheme that is used and not declared: a token is asked for, so that nothing becomes open. */
function declareMissing(tree: DocumentTree, notes: ImportNotes, schemes: Map<string, Part>): void {
  for (const { requirement, place } of requirementsOf(tree))
    for (const name of Object.keys(requirement))
      if (!schemes.has(name)) {
        const scheme = { type: 'http', scheme: 'bearer', description: 'A token.' };
        schemes.set(name, scheme);
        declareScheme(tree, name, scheme);
        notes.add(
          'decide',
          tree.sourceOf(place),
          `the security scheme ${name} is declared nowhere; a token is asked for, so say what it was`,
        );
      }
}

function declareScheme(tree: DocumentTree, name: string, scheme: Part): void {
  if (!isPart(tree.valueAt(inEntry('components')))) tree.set(inEntry('components'), {});
  if (!isPart(tree.valueAt(SCHEMES))) tree.set(SCHEMES, {});
  tree.set(belowPlace(SCHEMES, name), scheme);
}

interface Requirement {
  requirement: Part;
  place: SourcePlace;
}

/** All requirements of a document, its own and those of operations. */
function requirementsOf(tree: DocumentTree): Requirement[] {
  const lists = [
    inEntry('security'),
    ...operationsOf(tree).map(({ place }) => belowPlace(place, 'security')),
  ];
  return lists.flatMap((list) => requirementsAt(tree, list));
}

function requirementsAt(tree: DocumentTree, list: SourcePlace): Requirement[] {
  const value = tree.valueAt(list);
  return (Array.isArray(value) ? value : []).flatMap((requirement: unknown, index) =>
    isPart(requirement) ? [{ requirement, place: belowPlace(list, index) }] : [],
  );
}

/** Scopes that operations ask for, under the names that they have now; those that no flow describes are their own words. */
function renameRequired(tree: DocumentTree, notes: ImportNotes, names: ScopeNames): Map<string, string> {
  const found = new Map<string, string>();
  for (const { requirement, place } of requirementsOf(tree))
    for (const [scheme, scopes] of Object.entries(requirement)) {
      if (!Array.isArray(scopes) || !isToken(partAtPlace(tree, belowPlace(SCHEMES, scheme)))) continue;
      const texts = scopes.filter((scope) => typeof scope === 'string');
      for (const scope of texts) {
        found.set(names.of(scope), consentOf('', scope));
        noteRenamed(notes, tree.sourceOf(belowPlace(place, scheme)), scope, names.of(scope));
      }
      if (texts.some((scope) => names.of(scope) !== scope))
        tree.set(belowPlace(place, scheme), texts.map(names.of));
    }
  return found;
}

function isToken(scheme: Part): boolean {
  const { type } = scheme;
  if (type === 'http') return textIn(scheme, 'scheme').toLowerCase() === 'bearer';
  return type === 'oauth2' || type === 'openIdConnect';
}

/** Callers bring a token in their place. */
function otherSchemes(
  schemes: ReadonlyMap<string, Part>,
  notes: ImportNotes,
  tree: DocumentTree,
): Map<string, readonly string[]> {
  const others = [...schemes].filter(([, scheme]) => !isToken(scheme));
  for (const [name, { type }] of others)
    notes.add(
      'decide',
      tree.sourceOf(belowPlace(SCHEMES, name)),
      `callers bring a token of Dateline in place of this (${String(type)}); say which scopes stand for it under security in dateline.config.mjs`,
    );
  return new Map(others.map(([name]) => [name, []]));
}

/** Without scopes of its own, a document gets one to read and one to write for each of its tags. */
function requireTagScopes(
  tree: DocumentTree,
  notes: ImportNotes,
  reserved: ReadonlySet<string>,
): Map<string, string> {
  const operations = operationsOf(tree);
  const isSilent = schemesOf(tree).size === 0 && requirementsOf(tree).length === 0;
  const scheme = freeScheme(tree);
  const scopes = new Map<string, string>();
  for (const operation of operations) {
    const { scope, consent } = tagScopeOf(operation, reserved);
    const security = securityWith(tree, operation, { added: { [scheme]: [scope] }, isSilent });
    if (security === null) continue;
    scopes.set(scope, consent);
    tree.set(belowPlace(operation.place, 'security'), security);
    notes.add(
      'changed',
      belowPlace(tree.sourceOf(operation.place), 'security'),
      `it asks for the scope ${scope}, made of its tag`,
    );
  }
  if (scopes.size > 0) noteTagScopes(tree, notes, { scheme, isSilent });
  return scopes;
}

function noteTagScopes(
  tree: DocumentTree,
  notes: ImportNotes,
  { scheme, isSilent }: { scheme: string; isSilent: boolean },
): void {
  declareScheme(tree, scheme, {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of Dateline, with a scope.',
  });
  notes.add(
    'changed',
    belowPlace(SCHEMES, scheme),
    'it was added: it names the scopes that were made of tags',
  );
  const unsaid =
    'the document does not say who may call what, so all of it needs a token: list under open in dateline.config.mjs what needs none';
  if (isSilent) notes.add('decide', inEntry('security'), unsaid);
  const made =
    'the document has no scopes of OAuth, so there is one to read and one to write for each tag: rename them, or join some';
  notes.add('decide', SCHEMES, made);
}

/** Null where an operation needs no token, and where nobody can tell what it needs: that is refused later. */
function securityWith(
  tree: DocumentTree,
  { place }: FoundOperation,
  { added, isSilent }: { added: Part; isSilent: boolean },
): Part[] | null {
  const own = belowPlace(place, 'security');
  const list = tree.valueAt(own) === undefined ? inEntry('security') : own;
  if (tree.valueAt(list) === undefined) return isSilent ? [added] : null;
  const requirements = requirementsAt(tree, list).map(({ requirement }) => requirement);
  if (requirements.length === 0 || requirements.some((one) => Object.keys(one).length === 0)) return null;
  return requirements.map((one) => ({ ...one, ...added }));
}

function freeScheme(tree: DocumentTree): string {
  const taken = schemesOf(tree);
  let name = 'dateline';
  while (taken.has(name)) name += '-token';
  return name;
}
