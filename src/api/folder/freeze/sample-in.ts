import { type OpenApiDocument, sampleOf } from '@dateline/versions';
import { isPart, type Part, partIn } from '../../document/parts.ts';

/** A value that fits a schema of a document, made of its author's examples; undefined where none is found. */
export function sampleIn(document: OpenApiDocument, schema: unknown): unknown {
  const schemas = partIn(partIn(document, 'components'), 'schemas');
  const whole = JSON.stringify({ ...(isPart(schema) && schema), $defs: schemas });
  return sampleOf(JSON.parse(whole.replaceAll('"#/components/schemas/', '"#/$defs/')));
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
