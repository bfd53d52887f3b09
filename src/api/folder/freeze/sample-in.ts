import { type OpenApiDocument, sampleOf } from '@dateline/versions';

type Part = Readonly<Record<string, unknown>>;

/** A value that fits a schema of a document, made of its author's examples; undefined where none is found. */
export function sampleIn(document: OpenApiDocument, schema: unknown): unknown {
  const { schemas = {} } = (document.components ?? {}) as Part;
  const whole = JSON.stringify({ ...(schema as Part), $defs: schemas });
  return sampleOf(JSON.parse(whole.replaceAll('"#/components/schemas/', '"#/$defs/')));
}

/** Leads to a place in a document, through what it refers to. */
export function partAt(document: OpenApiDocument, ...names: readonly (string | number)[]): Part | undefined {
  return names.reduce<Part | undefined>(
    (part, name) => part && deref(document, part[name] as Part | undefined),
    document,
  );
}

export function deref(document: OpenApiDocument, part: Part | undefined): Part | undefined {
  if (typeof part?.$ref !== 'string' || !part.$ref.startsWith('#/')) return part;
  const names = part.$ref.slice('#/'.length).split('/');
  return partAt(document, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}
