import { isPart, type Part } from '../../document/parts.ts';
import { belowPlace } from '../document-tree.ts';
import type { SourcePlace } from '../import-notes.ts';
import { JSON_TYPES, type SwaggerReader } from './swagger-reader.ts';
import { schemaOf } from './swagger-schemas.ts';

/** A parameter, a header or a field of a form, and where it stands. */
export interface Stated {
  part: Part;
  place: SourcePlace;
}

/** Members that say what a value may be: in OpenAPI 3 they stand in a schema. */
const OF_SCHEMA = new Set([
  ...['type', 'format', 'items', 'default', 'enum', 'multipleOf', 'pattern', 'uniqueItems', 'x-nullable'],
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems'],
]);

/** A parameter of a path, a query or a header. */
export function parameterOf(reader: SwaggerReader, { part, place }: Stated): Part {
  const { collectionFormat, ...others } = withoutSchema(part);
  return reader.made(
    { ...others, ...styleOf(reader, { part, place }), schema: valueSchemaOf(reader, { part, place }) },
    place,
  );
}

/** A header of an answer. */
export function headerOf(reader: SwaggerReader, { part, place }: Stated): Part {
  const { collectionFormat, ...others } = withoutSchema(part);
  if (collectionFormat !== undefined && collectionFormat !== 'csv')
    unsaid(reader, place, 'a list in a header has commas between its items in OpenAPI 3');
  return reader.made({ ...others, schema: valueSchemaOf(reader, { part, place }) }, place);
}

export const isFormField = ({ part }: Stated): boolean => part.in === 'formData';

/** The body of a request. */
export function requestBodyOf(
  reader: SwaggerReader,
  { part, place }: Stated,
  consumes: readonly string[],
): Part {
  const { name: _name, in: _in, schema, required, ...others } = part;
  const make = (): Part =>
    schema === undefined ? {} : { schema: schemaOf(reader, belowPlace(place, 'schema')) };
  reader.notes.add(
    'changed',
    place,
    'in OpenAPI 3 a body is the requestBody of its operation, without a name',
  );
  const content = consumes.map((type) => [type, reader.made(make(), place)] as const);
  return reader.made(
    { ...others, ...(required === undefined ? {} : { required }), content: Object.fromEntries(content) },
    place,
  );
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The fields of a form as one body. */
export function formBody(
  reader: SwaggerReader,
  fields: readonly Stated[],
  consumes: readonly string[],
): Part {
  const required = fields.filter(({ part }) => part.required === true).map(({ part }) => String(part.name));
  const properties = fields.map((field) => [String(field.part.name), fieldOf(reader, field)] as const);
  const encoding = fields.flatMap((field) => encodingOf(reader, field));
  const types = formTypes(fields, consumes);
  const make = (): Part => ({
    schema: {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(properties),
    },
    ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}),
  });
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: Object.fromEntries(types.map((type) => [type, make()])),
  };
}

function formTypes(fields: readonly Stated[], consumes: readonly string[]): string[] {
  if (fields.some(({ part }) => part.type === 'file')) return [MULTIPART];
  const named = consumes.filter((type) => type === FORM || type === MULTIPART);
  return named.length > 0 ? named : [FORM];
}

function fieldOf(reader: SwaggerReader, { part, place }: Stated): Part {
  const {
    name: _name,
    in: _in,
    required: _required,
    collectionFormat,
    allowEmptyValue,
    ...others
  } = withoutSchema(part);
  reader.notes.add('changed', place, 'in OpenAPI 3 a field of a form is a property of the body');
  if (allowEmptyValue === true)
    reader.notes.add('left out', belowPlace(place, 'allowEmptyValue'), 'OpenAPI 3 has it for queries only');
  return reader.made({ ...valueSchemaOf(reader, { part, place }), ...others }, place);
}

function encodingOf(reader: SwaggerReader, { part, place }: Stated): [string, Part][] {
  if (part.type !== 'array') return [];
  return [
    [String(part.name), listStyle(reader, part.collectionFormat, place) ?? { style: 'form', explode: false }],
  ];
}

function styleOf(reader: SwaggerReader, { part, place }: Stated): Part {
  if (part.type !== 'array') return {};
  if (part.in === 'query')
    return listStyle(reader, part.collectionFormat, place) ?? { style: 'form', explode: false };
  if (part.collectionFormat !== undefined && part.collectionFormat !== 'csv')
    unsaid(reader, place, 'a list in a path or a header has commas between its items in OpenAPI 3');
  return {};
}

const LISTS: ReadonlyMap<unknown, Part> = new Map<unknown, Part>([
  [undefined, { style: 'form', explode: false }],
  ['csv', { style: 'form', explode: false }],
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

function listStyle(reader: SwaggerReader, format: unknown, place: SourcePlace): Part | null {
  const style = LISTS.get(format);
  if (style === undefined)
    unsaid(reader, place, 'OpenAPI 3 has no such list: commas are between its items now');
  else if (format !== undefined)
    reader.notes.add(
      'changed',
      belowPlace(place, 'collectionFormat'),
      'OpenAPI 3 says it with style and explode',
    );
  return style === undefined ? null : { ...style };
}

function unsaid(reader: SwaggerReader, place: SourcePlace, reason: string): void {
  reader.notes.add('left out', belowPlace(place, 'collectionFormat'), reason);
}

/** The schema of a value that stands in one member each, and not in a schema. */
function valueSchemaOf(reader: SwaggerReader, { part, place }: Stated): Part {
  const made = schemaOf(reader, place);
  const own = Object.entries(isPart(made) ? made : {}).filter(
    ([name]) => OF_SCHEMA.has(name) || (name === 'format' && part.type === 'file') || name === 'nullable',
  );
  return reader.made(withoutCollectionFormats(reader, Object.fromEntries(own), place), place);
}

/** Lists in lists: how the inner ones are written cannot be said. */
function withoutCollectionFormats(reader: SwaggerReader, schema: Part, place: SourcePlace): Part {
  const { items } = schema;
  if (!isPart(items)) return schema;
  const at = belowPlace(place, 'items');
  const { collectionFormat, ...others } = items;
  if (collectionFormat !== undefined)
    unsaid(reader, at, 'OpenAPI 3 cannot say how a list in a list is written');
  return { ...schema, items: reader.made(withoutCollectionFormats(reader, others, at), at) };
}

function withoutSchema(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !OF_SCHEMA.has(name)));
}

/** Media types of a body that is no form. */
export function bodyTypes(consumes: readonly string[]): readonly string[] {
  const named = consumes.filter((type) => type !== FORM && type !== MULTIPART);
  return named.length > 0 ? named : JSON_TYPES;
}
