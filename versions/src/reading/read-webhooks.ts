import type { EventKind, JsonSchema } from '../contract/contract.ts';
import { below, type Found, type Location, namedBelow } from '../openapi/openapi-reading.ts';
import { sampleOf } from '../samples/sample-of.ts';
import { markedMembers, withoutMembers } from '../schema/schema-marks.ts';
import { BROKEN, createSchemaReader, type SchemaReader } from '../schema/schema-reader.ts';
import { typesOf } from '../schema/schema-types.ts';
import { fits, validator } from '../schema/validator.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { isName, nameOf } from './read-operation.ts';
import { isScopes, readSecurity } from './read-security.ts';

/** The event kinds of a document: its webhooks, in the frame of ours. */
export function readWebhooks(reader: OpenApiReader): EventKind[] {
  const { reading } = reader;
  const webhooks = below(reading.root, 'webhooks');
  // Examples count for samples, though they are no part of a contract.
  const mark = reader.answers === reader.schemas ? undefined : 'writeOnly';
  const samples = createSchemaReader(reading, { kept: ['example', 'examples', 'default'], mark });
  return namedBelow(webhooks).flatMap(
    ([kind, location]) =>
      reader.unchanged.event(kind) ??
      readWebhook({ ...reader, schemas: reader.answers, samples }, kind, location),
  );
}

interface WebhookReader extends OpenApiReader {
  samples: SchemaReader;
}

const KIND_LENGTH_MAX = 100;

function readWebhook(reader: WebhookReader, kind: string, location: Location): EventKind[] {
  const { reading, options } = reader;
  if (!isName(kind, KIND_LENGTH_MAX)) reading.refuse(location, `a kind must be ${nameOf(KIND_LENGTH_MAX)}`);
  if (/(?:^|\.)\*$/.test(kind)) reading.refuse(location, 'a kind that ends with * would mean many of them');
  const post = findPost(reader, location);
  const content = post && findContent(reader, below(post, 'requestBody'));
  const data = content && reader.schemas.part(below(content, 'schema'));
  const scopes = post && readScopes(reader, post, kind);
  if (!data || data === BROKEN || !scopes) return [];
  const schema = reader.schemas.whole(options.wrapEvent(kind, data));
  const example = schema === BROKEN ? null : readExample(reader, content, withDefinitions(data, schema));
  if (example === null) return [];
  const summary = typeof post.value.summary === 'string' ? post.value.summary : kind;
  let wrapped: EventKind['example'] | undefined;
  return [
    {
      kind,
      summary,
      ...(scopes.length > 0 ? { scopes } : {}),
      schema,
      get example() {
        wrapped ??= options.wrapExample(kind, example());
        return wrapped;
      },
    },
  ];
}

function findPost({ reading }: WebhookReader, location: Location): Found | null {
  const item = reading.find(location, 'pathItem');
  if (item === null) return null;
  for (const [field, stated] of namedBelow(item))
    if (!KNOWN_BESIDE.has(field) && !field.startsWith('x-')) reading.refuse(stated, 'a webhook is a post');
  return reading.find(below(item, 'post'), 'operation');
}

/** The headers of a delivery are ours, whatever parameters are written down. */
const KNOWN_BESIDE = new Set(['post', 'parameters', 'summary', 'description', 'servers']);

function findContent({ reading }: WebhookReader, location: Location): Found | null {
  const body = reading.find(location, 'requestBody');
  if (body === null) return null;
  const types = below(body, 'content');
  // It is sent in this one, whichever others are written down.
  if (!namedBelow(types).some(([mediaType]) => mediaType === JSON_TYPE))
    return reading.refuse(types, 'an event is sent as application/json');
  const content = reading.find(below(body, 'content', JSON_TYPE), 'mediaType');
  if (content === null || 'schema' in content.value) return content;
  return reading.refuse(content, 'the schema of the data is missing');
}

const JSON_TYPE = 'application/json';

/** The scopes that a subscription needs: `x-scopes`, else those of `security`. */
function readScopes(reader: WebhookReader, post: Found, kind: string): readonly string[] | null {
  const named = below(post, 'x-scopes');
  if (named.value === undefined) {
    const security = readSecurity(reader, post, kind);
    if (security?.scheme !== 'bearer') return security && [];
    if (security.or === undefined) return security.scopes;
    const remedy = 'a subscription needs all of its scopes: say which with x-scopes';
    return reader.reading.refuse(below(post, 'security'), remedy);
  }
  if (isScopes(named.value)) return named.value.toSorted();
  return reader.reading.refuse(named, 'it must be a list of scopes');
}

/** Makes data that fits: the document's own example, or a sample. Null where there is neither. */
function readExample(reader: WebhookReader, content: Found, schema: JsonSchema): (() => unknown) | null {
  const { reading, options } = reader;
  const location = below(content, 'schema');
  if ([...typesOf(schema)].join() !== 'object')
    return reading.refuse(location, 'the data of an event is an object; say so with type: object');
  const stated = statedExample(reader, content);
  const problemOf = (value: unknown): string | null => {
    const [finding] = validator(schema)(value);
    return finding ? `it does not fit the schema: ${finding.instancePath} ${finding.message}` : null;
  };
  // What is never sent is not shown either.
  const shown = (value: unknown): unknown => withoutMembers(value, markedMembers(schema)?.(value) ?? []);
  const make = (): unknown => sampleFor(reader, location, schema);
  // One that does not fit is told by a check; there are better ones to show.
  if (options.examples === 'later')
    return () => (stated && fits(schema, stated.value) ? shown(stated.value) : make());
  const problem = stated && problemOf(stated.value);
  if (stated) return problem === null ? () => shown(stated.value) : reading.refuse(stated, String(problem));
  const made = make();
  return made === undefined ? reading.refuse(content, NO_EXAMPLE) : () => made;
}

/** A sample made of its author's examples; of the schema alone where those are wrong. */
function sampleFor({ samples }: WebhookReader, location: Location, schema: JsonSchema): unknown {
  const shown = sampleOf(samples.whole(samples.part(location)));
  const isFit = shown !== undefined && fits(schema, shown);
  return isFit ? shown : sampleOf(schema);
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
