import { isPart, isTexts, type OpenApiDocument, type Part } from '../openapi/plain-data.ts';
import type {
  Body,
  Contract,
  EventKind,
  JsonSchema,
  Operation,
  Security,
  TokenSecurity,
} from './contract.ts';
import { parametersIn } from './path-template.ts';

/**
 * Writes a contract as an OpenAPI 3.1 document, which `fromOpenApi` reads. Every version runs from its document, Next
 * too: so what is frozen is what ran, and a contract can hold nothing that its document does not.
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
      return requirementsOf(security);
    case 'secret':
      return [{ [security.name]: [] }];
    default:
      return security satisfies never;
  }
}

/** The requirements of a token, any of which is enough. */
export function requirementsOf({ scopes, or = [], optional }: TokenSecurity): Part[] {
  return [...[scopes, ...or].map((bearer) => ({ bearer })), ...(optional ? [{}] : [])];
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
  return parametersIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parametersOf(schema: JsonSchema | null | undefined, location: 'query' | 'header'): Part[] {
  const { properties, required } = schema ?? {};
  return Object.entries(isPart(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: location,
    required: isTexts(required) && required.includes(name),
    schema,
  }));
}
