import type { JsonSchema } from '../contract/contract.ts';
import { below, type Found, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';
import { alternativesOf } from '../schema/schema-alternatives.ts';
import { isPossibleName } from '../schema/schema-keywords.ts';
import { BROKEN } from '../schema/schema-reader.ts';
import { onlyTypeOf } from '../schema/schema-types.ts';
import type { OpenApiReader } from './openapi-reader.ts';

export interface Parameter {
  sentIn: 'path' | 'query' | 'header';
  name: string;
  isRequired: boolean;
  /** Of a path: that its value may hold a slash, percent-encoded. */
  allowsSlash: boolean;
  /** Its `type` is the one that its text is read as. */
  schema: JsonSchema;
  location: Location;
}

/** One parameter; null where it cannot even be told which one it is. */
export function readParameter(reader: OpenApiReader, location: Location): Parameter | null {
  const { reading } = reader;
  const found = reading.find(location, 'parameter');
  if (found === null) return null;
  const { name, in: sentIn, required } = found.value;
  if (!isSentIn(sentIn)) {
    reading.refuse(below(found, 'in'), 'it must be path, query or header; cookies are not passed on');
    return null;
  }
  checkName(reading, sentIn, below(found, 'name'));
  checkStyle(reading, sentIn, found);
  if (sentIn === 'path' && required !== true)
    reading.refuse(below(found, 'required'), 'a parameter of a path has required: true');
  const schema = readSchema(reader, sentIn, found);
  const allowsSlash = readAllowSlash(reading, sentIn, below(found, 'x-dateline-allow-slash'));
  return { sentIn, name: String(name), isRequired: required === true, allowsSlash, schema, location: found };
}

function readAllowSlash({ refuse }: OpenApiReading, sentIn: SentIn, location: Location): boolean {
  const { value = false } = location;
  if (typeof value !== 'boolean') refuse(location, 'it must be true or false');
  else if (value && sentIn !== 'path') refuse(location, 'only a parameter of a path can allow slashes');
  return value === true;
}

type SentIn = Parameter['sentIn'];

function isSentIn(value: unknown): value is SentIn {
  return value === 'path' || value === 'query' || value === 'header';
}

function checkName({ refuse }: OpenApiReading, sentIn: SentIn, location: Location): void {
  const { value: name } = location;
  if (typeof name !== 'string' || name === '' || !isPossibleName(name)) {
    refuse(location, 'it must be a name, and none that every object of JavaScript has');
  } else if (sentIn === 'header') {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse(location, 'it is no name of a header');
    const reason = headersOfTheGateway.get(name.toLowerCase());
    if (reason !== undefined) refuse(location, `${name} is no parameter: ${reason}`);
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

function checkStyle({ refuse }: OpenApiReading, sentIn: SentIn, parameter: Found): void {
  const { style, allowReserved, allowEmptyValue, content } = parameter.value;
  const usual = sentIn === 'query' ? 'form' : 'simple';
  if (style !== undefined && style !== usual)
    refuse(below(parameter, 'style'), `a parameter in the ${sentIn} has the style ${usual}`);
  if (allowReserved === true) refuse(below(parameter, 'allowReserved'), 'parameters are percent-encoded');
  if (allowEmptyValue === true) refuse(below(parameter, 'allowEmptyValue'), 'a parameter has a value');
  if (content !== undefined) refuse(below(parameter, 'content'), 'a parameter has a schema, and no content');
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** A parameter is sent as text. What it is read as must be plain from its schema. */
function readSchema({ reading, schemas }: OpenApiReader, sentIn: SentIn, parameter: Found): JsonSchema {
  const location = below(parameter, 'schema');
  const schema = schemas.part(location);
  const whole = schemas.whole(schema);
  const type = onlyTypeOf(whole);
  if (schema === BROKEN || SCALARS.includes(type)) return { ...schema, type };
  const itemType = type === 'array' && sentIn === 'query' ? itemTypeOf(whole) : null;
  if (SCALARS.includes(itemType)) {
    if (parameter.value.explode === false)
      reading.refuse(below(parameter, 'explode'), 'the parameter is repeated for each item of a list');
    return { ...schema, type, items: { ...(isPart(schema.items) && schema.items), type: itemType } };
  }
  const inQuery = 'string, integer, number or boolean, or an array of items of one of these';
  const elsewhere = `in the ${sentIn} that is string, integer, number or boolean`;
  reading.refuse(location, `say which type it has: ${sentIn === 'query' ? inQuery : elsewhere}`);
  return BROKEN;
}

/** The type of the items of a list, wherever they are described. */
function itemTypeOf(schema: JsonSchema): string | null {
  const [list] = alternativesOf(schema, schema.$defs, []);
  return onlyTypeOf({ ...(isPart(list?.schema.items) && list.schema.items), $defs: schema.$defs });
}
