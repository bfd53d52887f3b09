import type { EventKind, JsonSchema } from '../contract/contract.ts';
import { below, type Found, type Location, namedBelow } from '../openapi/openapi-reading.ts';
import { sampleOf } from '../samples/sample-of.ts';
import { BROKEN, createSchemaReader, type SchemaReader } from '../schema/schema-reader.ts';
import { typesOf } from '../schema/schema-types.ts';
import { validator } from '../schema/validator.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { isScopes, readSecurity } from './read-security.ts';

/** The event kinds of a document: its webhooks, in the frame of ours. */
export function readWebhooks(reader: OpenApiReader): EventKind[] {
  const { reading } = reader;
  const webhooks = below(reading.root, 'webhooks');
  // Examples count for samples, though they are no part of a contract.
  const samples = createSchemaReader(reading, ['example', 'examples', 'default']);
  return namedBelow(webhooks).flatMap(([kind, location]) =>
    readWebhook({ ...reader, samples }, kind, location),
  );
}

interface WebhookReader extends OpenApiReader {
  samples: SchemaReader;
}

function readWebhook(reader: WebhookReader, kind: string, location: Location): EventKind[] {
  const { reading, options } = reader;
  if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/.test(kind))
    reading.refuse(
      location,
      'a kind is two or more words in lower case with dots between, such as order.created',
    );
  const post = findPost(reader, location);
  const content = post && findContent(reader, below(post, 'requestBody'));
  const data = content && reader.schemas.part(below(content, 'schema'));
  const scopes = post && readScopes(reader, post);
  if (!data || data === BROKEN || !scopes) return [];
  const schema = reader.schemas.whole(options.wrapEvent(kind, data));
  const example = schema === BROKEN ? null : readExample(reader, content, withDefinitions(data, schema));
  if (example === null) return [];
  const summary = typeof post.value.summary === 'string' ? post.value.summary : kind;
  const wrapped = options.wrapExample(kind, example.value);
  return [{ kind, summary, ...(scopes.length > 0 ? { scopes } : {}), schema, example: wrapped }];
}

function findPost({ reading }: WebhookReader, location: Location): Found | null {
  const item = reading.find(location, 'pathItem');
  if (item === null) return null;
  for (const [field, stated] of namedBelow(item))
    if (!['post', 'summary', 'description', 'servers'].includes(field) && !field.startsWith('x-'))
      reading.refuse(stated, 'a webhook is a post, and its headers are ours');
  const post = reading.find(below(item, 'post'), 'operation');
  for (const field of ['parameters', 'callbacks'])
    if (post && field in post.value) reading.refuse(below(post, field), 'a webhook has a body only');
  return post;
}

function findContent({ reading }: WebhookReader, location: Location): Found | null {
  const body = reading.find(location, 'requestBody');
  if (body === null) return null;
  for (const [mediaType, stated] of namedBelow(below(body, 'content')))
    if (mediaType !== JSON_TYPE) reading.refuse(stated, 'an event is sent as application/json');
  const content = reading.find(below(body, 'content', JSON_TYPE), 'mediaType');
  if (content === null || 'schema' in content.value) return content;
  return reading.refuse(content, 'the schema of the data is missing');
}

const JSON_TYPE = 'application/json';

/** The scopes that a subscription needs: `x-scopes`, else those of `security`. */
function readScopes(reader: WebhookReader, post: Found): readonly string[] | null {
  const named = below(post, 'x-scopes');
  if (named.value === undefined) {
    const security = readSecurity(reader, post, 'say security: [] if anyone may subscribe');
    return security && (security.scheme === 'bearer' ? security.scopes : []);
  }
  if (isScopes(named.value)) return named.value.toSorted();
  return reader.reading.refuse(named, 'it must be a list of scopes');
}

/** Data that fits: the document's own example, or a sample. Null where there is neither. */
function readExample(reader: WebhookReader, content: Found, schema: JsonSchema): { value: unknown } | null {
  const { reading, samples } = reader;
  const location = below(content, 'schema');
  if ([...typesOf(schema)].join() !== 'object')
    return reading.refuse(location, 'the data of an event is an object; say so with type: object');
  const stated = statedExample(reader, content);
  const value = stated ? stated.value : sampleOf(samples.whole(samples.part(location)));
  const [finding] = value === undefined ? [] : validator(schema)(value);
  if (value !== undefined && finding === undefined) return { value };
  const reason = finding
    ? `it does not fit the schema: ${finding.instancePath} ${finding.message}`
    : NO_EXAMPLE;
  return reading.refuse(stated ?? content, reason);
}

const NO_EXAMPLE = 'no example can be made of the schema; give one under example';

function statedExample({ reading }: WebhookReader, content: Found): Location | null {
  if ('example' in content.value) return below(content, 'example');
  const [first] = namedBelow(below(content, 'examples'));
  const found = first && reading.find(first[1], 'example');
  return found ? below(found, 'value') : null;
}

/** A part of a schema, with the definitions of the whole. */
function withDefinitions(part: JsonSchema, { $defs }: JsonSchema): JsonSchema {
  return $defs === undefined ? part : { ...part, $defs };
}
