import {
  type Body,
  type Contract,
  type ErrorShape,
  type EventKind,
  type JsonSchema,
  type Method,
  methods,
  type Operation,
  type Security,
} from '../contract/contract.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { type ApiVersion, parseApiVersion } from '../version/api-version.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * A contract as an OpenAPI 3.1 document, and back. Every version runs from its document, Next too: so what is
 * frozen is what ran, and a contract can hold nothing that its document does not.
 */
export function toOpenApi(contract: Contract, title: string): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of contract.operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationPart(operation, contract),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: contract.version },
    'x-error-shape': contract.errorShape,
    paths,
    webhooks: Object.fromEntries(contract.events.map((event) => [event.kind, webhookPart(event)])),
    components: { securitySchemes: securitySchemes(contract) },
  };
}

export function fromOpenApi(document: OpenApiDocument): Contract {
  const { version } = document.info as { version: string };
  const parsed = parseApiVersion(version);
  if (parsed === null) throw new Error(`a contract's info.version must be YYYY-MM; "${version}" is not`);
  const operations = Object.entries(document.paths as Record<string, Part>).flatMap(([path, item]) =>
    methods
      .filter((method) => method.toLowerCase() in item)
      .map((method) => readOperation(path, method, item[method.toLowerCase()] as Part)),
  );
  return {
    version: parsed as ApiVersion,
    errorShape: document['x-error-shape'] as Contract['errorShape'],
    operations,
    events: Object.entries((document.webhooks ?? {}) as Record<string, Part>).map(([kind, item]) =>
      readEvent(kind, item),
    ),
  };
}

function securitySchemes({ operations }: Contract): Part {
  const secrets = operations.flatMap(({ security }) => (security.scheme === 'secret' ? [security.name] : []));
  const bearer = { type: 'http', scheme: 'bearer' };
  return Object.fromEntries(['bearer', ...secrets].map((name) => [name, bearer]));
}

function operationPart(operation: Operation, { errorShape }: Contract): Part {
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: operation.groups,
    security: securityPart(operation.security),
    ...(operation.clientAuthentication ? { 'x-client-authentication': operation.clientAuthentication } : {}),
    ...(operation.errorShape ? { 'x-error-shape': operation.errorShape } : {}),
    ...(operation.unknownQuery ? { 'x-unknown-query': operation.unknownQuery } : {}),
    parameters: [
      ...pathParameters(operation.path),
      ...parametersOf(operation.query, 'query'),
      ...parametersOf(operation.headers, 'header'),
    ],
    ...(operation.body ? { requestBody: requestBodyPart(operation.body) } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, body]) => [
          status,
          { description: 'Success.', ...(body ? { content: contentOf(body) } : {}) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(operation.errors).map(([status, codes]) => [
          status,
          {
            description: `Error: ${codes.join(', ')}.`,
            'x-error-codes': codes,
            content: contentOf(operation.errorShape ?? errorShape),
          },
        ]),
      ),
    },
  };
}

function securityPart(security: Security): Part[] {
  switch (security.scheme) {
    case 'none':
      return [];
    case 'bearer':
      return [{ bearer: security.scopes }];
    case 'secret':
      return [{ [security.name]: [] }];
    default:
      return security satisfies never;
  }
}

function webhookPart({ summary, scopes, schema, example }: EventKind): Part {
  const requestBody = {
    required: true,
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  };
  return {
    post: {
      summary,
      ...(scopes ? { 'x-scopes': scopes } : {}),
      requestBody,
      responses: { '2XX': { description: 'Received.' } },
    },
  };
}

function requestBodyPart(body: Body): Part {
  return { required: body.optional !== true, content: contentOf(body) };
}

function contentOf({ mediaType, schema }: Body): Part {
  return { [mediaType]: { schema } };
}

function pathParameters(path: string): Part[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parametersOf(schema: JsonSchema | null | undefined, location: 'query' | 'header'): Part[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema,
  }));
}

function readOperation(path: string, method: Method, part: Part): Operation {
  const responses = Object.entries(part.responses as Record<string, Part>);
  const parameters = part.parameters as Part[];
  const headers = readParameters(parameters, 'header');
  const isError = ([, response]: readonly [string, Part]): boolean => 'x-error-codes' in response;
  return {
    id: part.operationId as string,
    method,
    path,
    summary: part.summary as string,
    groups: part.tags as string[],
    security: readSecurity(part.security as Record<string, string[]>[]),
    ...('x-client-authentication' in part
      ? { clientAuthentication: part['x-client-authentication'] as string[] }
      : {}),
    query: readParameters(parameters, 'query'),
    ...('x-unknown-query' in part ? { unknownQuery: 'refused' as const } : {}),
    ...(headers ? { headers } : {}),
    ...('x-error-shape' in part ? { errorShape: part['x-error-shape'] as ErrorShape } : {}),
    body: readRequestBody(part.requestBody as Part | undefined),
    responses: Object.fromEntries(
      responses
        .filter((entry) => !isError(entry))
        .map(([status, response]) => [Number(status), readContent(response)]),
    ),
    errors: Object.fromEntries(
      responses
        .filter(isError)
        .map(([status, response]) => [Number(status), response['x-error-codes'] as string[]]),
    ),
  };
}

function readSecurity([requirement]: readonly Record<string, string[]>[]): Security {
  const [entry] = Object.entries(requirement ?? {});
  if (!entry) return { scheme: 'none' };
  const [name, scopes] = entry;
  return name === 'bearer' ? { scheme: 'bearer', scopes } : { scheme: 'secret', name };
}

function readParameters(parameters: readonly Part[], location: 'query' | 'header'): JsonSchema | null {
  const there = parameters.filter((parameter) => parameter.in === location);
  if (there.length === 0) return null;
  return {
    type: 'object',
    required: there.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(there.map(({ name, schema }) => [name, schema])),
  };
}

function readRequestBody(part: Part | undefined): Body | null {
  const body = readContent(part);
  return body && part?.required === false ? { ...body, optional: true } : body;
}

function readContent(part: Part | undefined): Body | null {
  const [entry] = Object.entries((part?.content ?? {}) as Record<string, { schema: JsonSchema }>);
  return entry ? { mediaType: entry[0], schema: entry[1].schema } : null;
}

function readEvent(kind: string, item: Part): EventKind {
  const post = item.post as { summary: string; requestBody: Part; 'x-scopes'?: readonly string[] };
  const { summary, requestBody, 'x-scopes': scopes } = post;
  const content = (requestBody.content as Record<string, Part>)['application/json'] as Part;
  const { example } = content.examples as { example: { value: Readonly<Record<string, unknown>> } };
  return {
    kind,
    summary,
    ...(scopes ? { scopes } : {}),
    schema: content.schema as JsonSchema,
    example: example.value,
  };
}
