import {
  type CompiledOperation,
  type CompiledVersion,
  deref as derefIn,
  type EventKind,
  isJsonType,
  type JsonSchema,
  type OpenApiDocument,
  requirementsOf,
  sampleIn,
} from '@dateline/versions';
import { type KnownScopes, offeredBy } from '../../oauth/scopes/scopes.ts';
import { mapValues } from '../document/describe-schema.ts';
import { listIn, type Part, type Parts, partIn, partsIn, textIn } from '../document/parts.ts';
import type { DocumentedErrors } from './document-errors.ts';

/**
 * One document of both APIs, written as our own contracts are, with the words of the folder's author in it. It is for
 * readers: checks are made of the two contracts.
 */
export function composeDocument(
  our: OpenApiDocument,
  their: CompiledVersion,
  { scopes, errorsOf, isUpstream }: Composition,
): OpenApiDocument {
  const { document, contract } = their;
  const { description = '', license, ...info } = partIn(document, 'info');
  const { version } = partIn(our, 'info');
  return {
    ...extensionsOf(document),
    ...our,
    info: { ...info, version, description, license: license ?? null },
    tags: document.tags ?? [],
    // Nobody is sent past Dateline.
    servers: listIn(document, 'servers').filter((server) => !isUpstream(textIn(server, 'url'))),
    paths: { ...pathsOf(their, errorsOf), ...offering(scopes, partsIn(our, 'paths')) },
    webhooks: {
      ...Object.fromEntries(contract.events.map((event) => [event.kind, webhookPart(event, document)])),
      ...partIn(our, 'webhooks'),
    },
    components: {
      ...partIn(our, 'components'),
      securitySchemes: describedSchemes(our, document),
      schemas: partIn(partIn(document, 'components'), 'schemas'),
    },
  };
}

export interface Composition {
  scopes: KnownScopes;
  errorsOf: DocumentedErrors;
  /** True for addresses of the server behind Dateline, which no caller can reach. */
  isUpstream(address: string): boolean;
}

/** What an author has added to a part of the document for other programs and readers. */
function extensionsOf(part: Part): Part {
  const isKept = (name: string): boolean =>
    name.startsWith('x-') || name === 'externalDocs' || name === 'deprecated';
  return Object.fromEntries(Object.entries(part).filter(([name]) => isKept(name)));
}

/** Ours is a bearer token, whose scopes are described as the author's schemes do it. */
function describedSchemes(our: OpenApiDocument, document: OpenApiDocument): Part {
  const schemes = partIn(partIn(our, 'components'), 'securitySchemes');
  const flows = Object.values(partsIn(partIn(document, 'components'), 'securitySchemes')).flatMap((scheme) =>
    Object.values(partsIn(deref(document, scheme), 'flows')),
  );
  const described = Object.assign({}, ...flows.map((flow) => partIn(flow, 'scopes')));
  if (Object.keys(described).length === 0) return schemes;
  return { ...schemes, bearer: { ...partIn(schemes, 'bearer'), 'x-scope-descriptions': described } };
}

/** Registration lists the scopes that a client may have. */
function offering(scopes: KnownScopes, paths: Parts): Parts {
  const text = JSON.stringify(paths, (name, value) =>
    name === 'x-scopes' ? offeredBy(value, scopes) : value,
  );
  return JSON.parse(text);
}

function pathsOf({ document, operations }: CompiledVersion, errorsOf: DocumentedErrors): Parts {
  const paths: Record<string, Part> = {};
  for (const compiled of operations.values()) {
    const { operation } = compiled;
    const item = deref(document, partIn(partIn(document, 'paths'), operation.path));
    const method = operation.method.toLowerCase();
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: operationPart(compiled, { item, document, errorsOf }),
    };
  }
  return paths;
}

interface Surroundings {
  item: Part;
  document: OpenApiDocument;
  errorsOf: DocumentedErrors;
}

function operationPart(compiled: CompiledOperation, { item, document, errorsOf }: Surroundings): Part {
  const { operation } = compiled;
  const part = partIn(item, operation.method.toLowerCase());
  const written = mapValues(partsIn(part, 'responses'), (response) => responsePart(response, document));
  const requestBody = part.requestBody ? deref(document, partIn(part, 'requestBody')) : null;
  return {
    ...extensionsOf(item),
    ...extensionsOf(part),
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
    responses: { ...written, ...errorsOf(compiled, written) },
  };
}

/** An answer as its author has described it. */
function responsePart(response: Part, document: OpenApiDocument): Part {
  const written = deref(document, response);
  const headers = mapValues(partsIn(written, 'headers'), (header) => deref(document, header));
  return { ...('content' in written ? withExamples(written, document) : written), headers };
}

/** The parameters of an operation, which override those of its path (OpenAPI §4.8.9). */
function parametersOf(item: Part, part: Part, document: OpenApiDocument): Part[] {
  const all = [...listIn(item, 'parameters'), ...listIn(part, 'parameters')];
  const byName = new Map(
    all
      .map((parameter) => withShown(deref(document, parameter), document))
      .map((known) => [`${known.in} ${known.name}`, known]),
  );
  return [...byName.values()];
}

/** Adds an example to every media type that has none of its author's. */
function withExamples(part: Part, document: OpenApiDocument): Part {
  const content = Object.entries(partsIn(part, 'content')).map(([type, body]) => {
    const hasExample = 'example' in body || 'examples' in body || !isJsonType(type);
    const sample = hasExample ? undefined : sampleIn(document, body.schema);
    return [
      type,
      { schema: {}, ...withShown(body, document), ...(sample !== undefined && { example: sample }) },
    ];
  });
  return { ...part, content: Object.fromEntries(content) };
}

/** Examples are written where they are shown: of the author's components, schemas alone are served. */
function withShown(part: Part, document: OpenApiDocument): Part {
  if (!('examples' in part)) return part;
  return { ...part, examples: mapValues(partsIn(part, 'examples'), (example) => deref(document, example)) };
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
      ...extensionsOf(post),
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
