import { type OpenApiDocument, sampleOf } from '@dateline/versions';
import { isPart, type Part, partIn } from './parts.ts';

/** A value that fits a schema of a document, made of its author's examples; undefined where none is found. */
export function sampleIn(document: OpenApiDocument, schema: unknown): unknown {
  return sampleOf({ ...withDefinitions(isPart(schema) ? schema : {}), $defs: definitionsOf(document) });
}

const known = new WeakMap<OpenApiDocument, Part>();

/** The schemas of a document, made once for all of its samples. */
function definitionsOf(document: OpenApiDocument): Part {
  const made = known.get(document) ?? withDefinitions(partIn(partIn(document, 'components'), 'schemas'));
  known.set(document, made);
  return made;
}

function withDefinitions(part: Part): Part {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"#/$defs/'));
}

/** Leads to a place in a document, through what it refers to. */
export function partAt(document: OpenApiDocument, ...names: readonly (string | number)[]): Part | undefined {
  return names.reduce<Part | undefined>((part, name) => {
    const value = part?.[name];
    return holdsParts(value) ? deref(document, value) : undefined;
  }, document);
}

/** True for an object or a list. */
function holdsParts(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

export function deref(document: OpenApiDocument, part: Part | undefined): Part | undefined {
  if (typeof part?.$ref !== 'string' || !part.$ref.startsWith('#/')) return part;
  const names = part.$ref.slice('#/'.length).split('/');
  return partAt(document, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}
