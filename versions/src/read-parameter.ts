import type { JsonSchema } from './contract.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { below, type Found, type OpenApiReading, type Place } from './openapi-reading.ts';
import { isPart } from './plain-data.ts';
import { isPossibleName } from './schema-keywords.ts';
import { BROKEN } from './schema-reader.ts';
import { onlyTypeOf } from './schema-types.ts';

export interface Parameter {
  location: 'path' | 'query' | 'header';
  name: string;
  isRequired: boolean;
  /** Of a path: that its value may hold a slash, percent-encoded. */
  allowsSlash: boolean;
  /** Its `type` is the one that its text is read as. */
  schema: JsonSchema;
  place: Place;
}

/** One parameter; null where it cannot even be told which one it is. */
export function readParameter(reader: OpenApiReader, place: Place): Parameter | null {
  const { reading } = reader;
  const found = reading.find(place, 'parameter');
  if (found === null) return null;
  const { name, in: location, required } = found.value;
  if (!isLocation(location)) {
    reading.refuse(below(found, 'in'), 'it must be path, query or header; cookies are not passed on');
    return null;
  }
  checkName(reading, location, below(found, 'name'));
  checkStyle(reading, location, found);
  if (location === 'path' && required !== true)
    reading.refuse(below(found, 'required'), 'a parameter of a path has required: true');
  const schema = readSchema(reader, location, found);
  const allowsSlash = readAllowSlash(reading, location, below(found, 'x-dateline-allow-slash'));
  return { location, name: String(name), isRequired: required === true, allowsSlash, schema, place: found };
}

function readAllowSlash({ refuse }: OpenApiReading, location: Location, place: Place): boolean {
  const { value = false } = place;
  if (typeof value !== 'boolean') refuse(place, 'it must be true or false');
  else if (value && location !== 'path') refuse(place, 'only a parameter of a path can allow slashes');
  return value === true;
}

type Location = Parameter['location'];

function isLocation(value: unknown): value is Location {
  return value === 'path' || value === 'query' || value === 'header';
}

function checkName({ refuse }: OpenApiReading, location: Location, place: Place): void {
  const { value: name } = place;
  if (typeof name !== 'string' || name === '' || !isPossibleName(name)) {
    refuse(place, 'it must be a name, and none that every object of JavaScript has');
  } else if (location === 'header') {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse(place, 'it is no name of a header');
    const reason = headersOfTheGateway.get(name.toLowerCase());
    if (reason !== undefined) refuse(place, `${name} is no parameter: ${reason}`);
  }
}

const headersOfTheGateway = new Map([
  ['authorization', 'what a caller needs is said by security'],
  ['service-version', 'it chooses the version, and is read before anything else'],
  ['content-type', 'the media types of requestBody say it'],
  ['accept', 'the media types of responses say it'],
  ['cookie', 'cookies are not passed on'],
  ...[
    'connection',
    'content-length',
    'expect',
    'host',
    'keep-alive',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ].map((name) => [name, 'it is about the connection, which ends at the gateway'] as const),
]);

function checkStyle({ refuse }: OpenApiReading, location: Location, parameter: Found): void {
  const { style, allowReserved, allowEmptyValue, content } = parameter.value;
  const usual = location === 'query' ? 'form' : 'simple';
  if (style !== undefined && style !== usual)
    refuse(below(parameter, 'style'), `a parameter in the ${location} has the style ${usual}`);
  if (allowReserved === true) refuse(below(parameter, 'allowReserved'), 'parameters are percent-encoded');
  if (allowEmptyValue === true) refuse(below(parameter, 'allowEmptyValue'), 'a parameter has a value');
  if (content !== undefined) refuse(below(parameter, 'content'), 'a parameter has a schema, and no content');
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** A parameter is sent as text. What it is read as must be plain from its schema. */
function readSchema({ reading, schemas }: OpenApiReader, location: Location, parameter: Found): JsonSchema {
  const place = below(parameter, 'schema');
  const schema = schemas.part(place);
  const type = onlyTypeOf(schema);
  if (schema === BROKEN || SCALARS.includes(type)) return { ...schema, type };
  const itemType = type === 'array' && location === 'query' ? onlyTypeOf(schema.items) : null;
  if (isPart(schema.items) && SCALARS.includes(itemType)) {
    if (parameter.value.explode === false)
      reading.refuse(below(parameter, 'explode'), 'the parameter is repeated for each item of a list');
    return { ...schema, type, items: { ...schema.items, type: itemType } };
  }
  const inQuery = 'string, integer, number or boolean, or an array of items of one of these';
  const elsewhere = `in the ${location} that is string, integer, number or boolean`;
  reading.refuse(place, `say which type it has: ${location === 'query' ? inQuery : elsewhere}`);
  return BROKEN;
}
