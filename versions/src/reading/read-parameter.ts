import type { JsonSchema, ValueStyle } from '../contract/contract.ts';
import {
  below,
  type Found,
  type Location,
  namedBelow,
  type OpenApiReading,
} from '../openapi/openapi-reading.ts';
import { isPossibleName } from '../schema/schema-keywords.ts';
import { BROKEN } from '../schema/schema-reader.ts';
import { onlyTypeOf } from '../schema/schema-types.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { readParameterStyle, type SentIn } from './read-styles.ts';

export interface Parameter {
  sentIn: SentIn;
  name: string;
  isRequired: boolean;
  /** Of a path: that its value may hold a slash, percent-encoded. */
  allowsSlash: boolean;
  schema: JsonSchema;
  /** Null for the usual one. */
  style: ValueStyle | null;
  location: Location;
}

/** One parameter; null where it cannot even be told which one it is, and where OpenAPI has it ignored (§4.8.12.2.1). */
export function readParameter(reader: OpenApiReader, location: Location): Parameter | null {
  const { reading } = reader;
  const found = reading.find(location, 'parameter');
  if (found === null) return null;
  const { name, in: sentIn, required } = found.value;
  if (!isSentIn(sentIn)) {
    reading.refuse(below(found, 'in'), 'it must be path, query or header; cookies are not passed on');
    return null;
  }
  if (sentIn === 'header' && typeof name === 'string' && IGNORED.has(name.toLowerCase())) return null;
  checkName(reading, sentIn, below(found, 'name'));
  if (sentIn === 'path' && required !== true)
    reading.refuse(below(found, 'required'), 'a parameter of a path has required: true');
  const schema = readSchema(reader, found);
  const style = readParameterStyle(reading, sentIn, found);
  const allowsSlash = readAllowSlash(reading, sentIn, below(found, 'x-dateline-allow-slash'));
  const isRequired = required === true;
  return { sentIn, name: String(name), isRequired, allowsSlash, schema, style, location: found };
}

function readAllowSlash({ refuse }: OpenApiReading, sentIn: SentIn, location: Location): boolean {
  const { value = false } = location;
  if (typeof value !== 'boolean') refuse(location, 'it must be true or false');
  else if (value && sentIn !== 'path') refuse(location, 'only a parameter of a path can allow slashes');
  return value === true;
}

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

/** Security, `requestBody` and `responses` say what they may be. */
const IGNORED = new Set(['accept', 'authorization', 'content-type']);

const headersOfTheGateway = new Map([
  ['service-version', 'it chooses the version, and is read before anything else'],
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

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** The schema of a parameter, which is sent as text. Where that can be one thing only, its type is written down. */
function readSchema({ reading, schemas }: OpenApiReader, parameter: Found): JsonSchema {
  const [content] = namedBelow(below(parameter, 'content'));
  const found = content ? reading.find(content[1], 'mediaType') : parameter;
  if (found === null) return BROKEN;
  const location = below(found, 'schema');
  const schema = content && location.value === undefined ? {} : schemas.part(location);
  const type = onlyTypeOf(schemas.whole(schema));
  const read = schema !== BROKEN && SCALARS.includes(type) ? { ...schema, type } : schema;
  // `?name` and `?name=` say that it is there.
  return parameter.value.allowEmptyValue === true ? { anyOf: [read, { const: '' }] } : read;
}
