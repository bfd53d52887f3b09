import { heldBy, type OpenApiKind } from '@dateline/versions';
import { isPart, type Part } from '../document/parts.ts';
import { belowPlace, type DocumentTree, inEntry } from './document-tree.ts';
import type { ImportNotes, SourcePlace } from './import-notes.ts';
import { followed } from './places.ts';

/**
 * Says in the keywords of OpenAPI 3.1 what a document of 3.0 says in its own: only in schemas, and in all of them, in whichever file.
 * Everything else of 3.0 means the same in 3.1. `isNoted` says that whatever may be null was noted already.
 */
export function upgradeSchemas(tree: DocumentTree, notes: ImportNotes, isNoted = false): void {
  const seen = new Set<Part>();

  function visit(kind: OpenApiKind, place: SourcePlace): void {
    const value = tree.valueAt(place);
    if (!isPart(value) || seen.has(value)) return;
    seen.add(value);
    if (typeof value.$ref === 'string') visitTarget(kind, place);
    for (const { kind: inner, keys } of heldBy(kind, value)) visit(inner, belowPlace(place, ...keys));
    if (kind === 'schema') upgradeSchema(value, place);
  }

  function visitTarget(kind: OpenApiKind, place: SourcePlace): void {
    const target = followed(tree, place);
    // The document itself is walked through from its root.
    if (target.file !== inEntry().file) visit(kind, target);
  }

  function upgradeSchema(schema: Part, place: SourcePlace): void {
    const upgraded = inKeywordsOf31(schema);
    if (upgraded === schema) return;
    const source = tree.sourceOf(place);
    for (const keyword of OF_30)
      if (keyword in schema && schema[keyword] !== upgraded[keyword] && !(isNoted && keyword === 'nullable'))
        notes.add('changed', belowPlace(source, keyword), REASONS[keyword] ?? '');
    replaceMembers(schema, upgraded);
  }

  visit('document', inEntry());
}

const OF_30 = ['nullable', 'exclusiveMinimum', 'exclusiveMaximum'];

const REASONS: Readonly<Record<string, string>> = {
  nullable: 'OpenAPI 3.1 has no nullable: null is among the types instead',
  exclusiveMinimum: 'in OpenAPI 3.1 it is the number itself',
  exclusiveMaximum: 'in OpenAPI 3.1 it is the number itself',
};

/** The same object where there is nothing to say anew. */
function inKeywordsOf31(schema: Part): Part {
  if (!OF_30.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  const { nullable, ...rest } = withNumericBounds(schema);
  if (nullable === true) return orNull(rest);
  return typeof nullable === 'boolean' ? rest : { ...rest, ...(nullable === undefined ? {} : { nullable }) };
}

function withNumericBounds(schema: Part): Part {
  return withNumericBound(
    withNumericBound(schema, 'minimum', 'exclusiveMinimum'),
    'maximum',
    'exclusiveMaximum',
  );
}

/** In OpenAPI 3.0, `exclusiveMinimum: true` stands beside the minimum that it is about. */
function withNumericBound(schema: Part, bound: string, exclusive: string): Part {
  const value = schema[exclusive];
  if (typeof value !== 'boolean') return schema;
  const hidden = value ? [bound, exclusive] : [exclusive];
  const entries = Object.entries(schema).flatMap(([keyword, one]) => {
    if (keyword === bound && value) return [[exclusive, one]];
    return hidden.includes(keyword) ? [] : [[keyword, one]];
  });
  return Object.fromEntries(entries);
}

/** Keywords that say more than which type and which values: they would have to allow null too. */
const COMPOSED = ['$ref', 'const', 'allOf', 'anyOf', 'oneOf', 'not'];

/** Words stay where they are; what they are about may be null. */
const WORDS =
  /^(?:x-.*|title|description|default|example|examples|deprecated|readOnly|writeOnly|externalDocs)$/;

function orNull(schema: Part): Part {
  if (COMPOSED.some((keyword) => Object.hasOwn(schema, keyword))) {
    const entries = Object.entries(schema);
    const words = entries.filter(([keyword]) => WORDS.test(keyword));
    const others = entries.filter(([keyword]) => !WORDS.test(keyword));
    return { ...Object.fromEntries(words), anyOf: [Object.fromEntries(others), { type: 'null' }] };
  }
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...(Array.isArray(type) ? type : [type]), 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

/** The object stays the same one, since others may refer to it. */
function replaceMembers(object: Part, members: Part): void {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  for (const [name, value] of Object.entries(members)) Reflect.set(object, name, value);
}
