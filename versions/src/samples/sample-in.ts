import { createHash } from 'node:crypto';
import { keysOfPointer, valueBelow } from '../openapi/json-pointer.ts';
import { isPart, type OpenApiDocument, type Part } from '../openapi/plain-data.ts';
import { sampleOf, statedIn } from './sample-of.ts';

/** A value that fits a schema of a document, made of its author's examples; undefined where none is found. */
export function sampleIn(document: OpenApiDocument, schema: unknown): unknown {
  return sampleOf({ ...withDefinitions(isPart(schema) ? schema : {}), $defs: definitionsOf(document) });
}

/** The values that an author gives for a media type: its examples, and one that is made of those of its schema. */
export function examplesOf(document: OpenApiDocument, mediaType: Part | undefined): unknown[] {
  if (!mediaType) return [];
  const made = sampleIn(document, mediaType.schema);
  return [...statedExamples(document, mediaType), ...(made === undefined ? [] : [made])];
}

/** Those that are written down. */
export function statedExamples(document: OpenApiDocument, mediaType: Part | undefined): unknown[] {
  if (!mediaType) return [];
  const named = Object.keys(isPart(mediaType.examples) ? mediaType.examples : {});
  const values = named.map((name) => {
    const example = valueBelow(mediaType.examples, name);
    return isPart(example) ? deref(document, example)?.value : undefined;
  });
  const schema = isPart(mediaType.schema) ? deref(document, mediaType.schema) : undefined;
  return [mediaType.example, ...values, ...statedIn(schema)].filter((value) => value !== undefined);
}

const known = new WeakMap<OpenApiDocument, Part>();
const byDigest = new Map<string, WeakRef<Part>>();

/** The schemas of a document, made once for all of its samples, and for other versions that have the same ones. */
function definitionsOf(document: OpenApiDocument): Part {
  const made = known.get(document) ?? sharedDefinitions(partAt(document, 'components', 'schemas') ?? {});
  known.set(document, made);
  return made;
}

function sharedDefinitions(schemas: Part): Part {
  const text = textWithDefinitions(schemas);
  const digest = createHash('sha256').update(text).digest('base64');
  const made = byDigest.get(digest)?.deref() ?? JSON.parse(text);
  byDigest.set(digest, new WeakRef(made));
  return made;
}

function withDefinitions(part: Part): Part {
  return JSON.parse(textWithDefinitions(part));
}

function textWithDefinitions(part: Part): string {
  return JSON.stringify(part).replaceAll('"#/components/schemas/', '"#/$defs/');
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
  return partAt(document, ...keysOfPointer(part.$ref.slice('#'.length)));
}
