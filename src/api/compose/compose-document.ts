import {
  type CompiledVersion,
  deref as derefIn,
  type EventKind,
  isJsonType,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  requirementsOf,
  sampleIn,
} from '@dateline/versions';
import { type KnownScopes, offeredBy } from '../../oauth/scopes/scopes.ts';
import { listIn, type Part, type Parts, partIn, partsIn } from '../document/parts.ts';

/**
 * One document of both APIs, written as our own contracts are, with the words of the folder's author in it. It is for
 * readers: checks are made of the two contracts.
 */
export function composeDocument(
  our: OpenApiDocument,
  their: CompiledVersion,
  scopes: KnownScopes,
): OpenApiDocument {
  const { document, contract } = their;
  const { title, description = '', license } = partIn(document, 'info');
  const { version } = partIn(our, 'info');
  return {
    ...our,
    info: { title, version, description, license: license ?? null },
    tags: document.tags ?? [],
    paths: { ...pathsOf(their), ...offering(scopes, partsIn(our, 'paths')) },
    webhooks: {
      ...Object.fromEntries(contract.events.map((event) => [event.kind, webhookPart(event, document)])),
      ...partIn(our, 'webhooks'),
    },
    components: {
      ...partIn(our, 'components'),
      schemas: partIn(partIn(document, 'components'), 'schemas'),
    },
  };
}

/** Registration lists the scopes that a client may have. */
function offering(scopes: KnownScopes, paths: Parts): Parts {
  const text = JSON.stringify(paths, (name, value) =>
    name === 'x-scopes' ? offeredBy(value, scopes) : value,
  );
  return JSON.parse(text);
}

function pathsOf({ document, contract: { operations } }: CompiledVersion): Parts {
  const paths: Record<string, Part> = {};
  for (const operation of operations) {
    const item = deref(document, partIn(partIn(document, 'paths'), operation.path));
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: operationPart(operation, item, document) };
  }
  return paths;
}

function operationPart(operation: Operation, item: Part, document: OpenApiDocument): Part {
  const part = partIn(item, operation.method.toLowerCase());
  const responses = Object.entries(operation.responses).map(([status, body]) => {
    const written = deref(document, partIn(partIn(part, 'responses'), status));
    return [status, body ? withExamples(written, document) : written];
  });
  const errors = Object.entries(operation.errors).map(([status, codes]) => [
    status,
    { description: `Error: ${codes.join(', ')}.`, 'x-error-codes': codes },
  ]);
  const requestBody = part.requestBody ? deref(document, partIn(part, 'requestBody')) : null;
  return {
    operationId: operation.id,
    'x-own-api': true,
    summary: operation.summary,
    description: part.description ?? '',
    tags: operation.groups,
    security: operation.security.scheme === 'bearer' ? requirementsOf(operation.security) : [],
    parameters: parametersOf(item, part, document),
    ...(requestBody && {
      requestBody: withExamples(requestBody, document),
    }),
    responses: Object.fromEntries([...responses, ...errors]),
  };
}

/** The parameters of an operation, which override those of its path (OpenAPI §4.8.9). */
function parametersOf(item: Part, part: Part, document: OpenApiDocument): Part[] {
  const all = [...listIn(item, 'parameters'), ...listIn(part, 'parameters')];
  const byName = new Map(
    all.map((parameter) => deref(document, parameter)).map((known) => [`${known.in} ${known.name}`, known]),
  );
  return [...byName.values()];
}

/** Adds an example to every media type that has none of its author's. */
function withExamples(part: Part, document: OpenApiDocument): Part {
  const content = Object.entries(partsIn(part, 'content')).map(([type, body]) => {
    const hasExample = 'example' in body || 'examples' in body || !isJsonType(type);
    const sample = hasExample ? undefined : sampleIn(document, body.schema);
    return [type, { schema: {}, ...body, ...(sample !== undefined && { example: sample }) }];
  });
  return { ...part, content: Object.fromEntries(content) };
}

function webhookPart({ kind, summary, scopes, schema, example }: EventKind, document: OpenApiDocument): Part {
  const item = deref(document, partIn(partIn(document, 'webhooks'), kind));
  const post = partIn(item, 'post');
  const { description = summary } = post;
  const body = deref(document, partIn(post, 'requestBody'));
  const { schema: data } = partIn(partIn(body, 'content'), 'application/json');
  const content = {
    'application/json': { schema: inFrame(schema, data), examples: { example: { value: example } } },
  };
  return {
    post: {
      summary,
      description,
      ...(scopes && { 'x-scopes': scopes }),
      requestBody: { required: true, content },
    },
  };
}

/** The frame is ours. What is in it is written as its author has it, with the names of the components. */
function inFrame({ $defs: _named, ...schema }: JsonSchema, data: unknown): JsonSchema {
  return { ...schema, properties: { ...partIn(schema, 'properties'), data } };
}

const deref = (document: OpenApiDocument, part: Part): Part => derefIn(document, part) ?? {};
