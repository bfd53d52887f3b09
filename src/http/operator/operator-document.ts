import type { JsonSchema, OpenApiDocument } from '@dateline/versions';
import { partsIn, textsIn } from '../../api/document/parts.ts';
import { plain } from '../../contracts/head/operation-parts.ts';
import { catalogue, type ErrorCode } from '../../errors/catalogue.ts';
import { present } from '../../kernel/presence.ts';
import { rolesFor, roleWords } from './acting-operator.ts';
import type { Operation } from './operation.ts';

type Part = Readonly<Record<string, unknown>>;

/** The operator API as an OpenAPI 3.1 document, made of what its routes declare and check. */
export function operatorDocument(operations: readonly Operation[]): OpenApiDocument {
  const paths: Record<string, Part> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationPart(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Dateline operator API', version: '1', description: ABOUT },
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      responses: Object.fromEntries(
        operations.flatMap(errorGroups).map((codes) => [nameOf(codes), errorPart(codes)]),
      ),
      securitySchemes: { operator_key: { type: 'http', scheme: 'bearer', description: KEY } },
    },
  };
}

const ABOUT =
  'For operators of the service. It is the same in every API version; a Service-Version header that names no served version is answered with 404 here, too. Errors are {"error", "detail"}: a code for programs and a sentence for people.';

const KEY =
  'An operator key of this environment. Its role says what it may do: admin everything, viewer read, support read, resend and disable, publisher publish events. The console sends its session cookie instead (see sign_in), and X-CSRF-Token with every change.';

function operationPart(operation: Operation): Part {
  const { id, summary, group, params, query, body, bodyOptional = false, answer } = operation;
  return {
    operationId: id,
    summary,
    description: [operation.description, needsSentence(operation)].filter(Boolean).join('\n\n'),
    tags: [group],
    security: securityPart(operation),
    parameters: [...pathParameters(params), ...queryParameters(plain(query))],
    ...(body && {
      requestBody: { required: !bodyOptional, content: { [JSON_TYPE]: { schema: plain(body) } } },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.body && { content: { [answer.mediaType ?? JSON_TYPE]: { schema: plain(answer.body) } } }),
      },
      ...errorParts(operation),
    },
  };
}

const JSON_TYPE = 'application/json';

function needsSentence({ needs }: Operation): string {
  if (needs === 'no key') return 'Needs no operator key.';
  if (needs === 'any role') return 'Needs an operator key with any role.';
  return `Needs an operator key with the role ${roleWords(needs)}.`;
}

/** OpenAPI 3.1 lets other schemes than OAuth's list roles; each entry is enough by itself. */
function securityPart({ needs }: Operation): Part[] {
  return needs === 'no key' ? [] : rolesFor(needs).map((role) => ({ operator_key: [role] }));
}

function pathParameters(params: Operation['params']): Part[] {
  return Object.entries(params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: JsonSchema): Part[] {
  const required = textsIn(query, 'required');
  return Object.entries(partsIn(query, 'properties')).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

/** By status. Most operations share them, so they stand in one place. */
function errorParts(operation: Operation): Part {
  return Object.fromEntries(
    errorGroups(operation).map((codes) => [
      statusOf(codes),
      { $ref: `#/components/responses/${nameOf(codes)}` },
    ]),
  );
}

/** The codes of an operation's errors, those of one status together. */
function errorGroups(operation: Operation): ErrorCode[][] {
  const codes = errorsOf(operation);
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))];
  return statuses.map((status) => codes.filter((code) => catalogue[code].status === status));
}

function statusOf([code]: readonly ErrorCode[]): number {
  return catalogue[present(code, 'a code of the group')].status;
}

/** `404.version_not_found.not_found`: the status and the codes that it may have. */
function nameOf(codes: readonly ErrorCode[]): string {
  return [statusOf(codes), ...codes].join('.');
}

function errorPart(codes: readonly ErrorCode[]): Part {
  return {
    description: codes.map((code) => catalogue[code].text).join(' '),
    content: { [JSON_TYPE]: { schema: errorSchema(codes) } },
  };
}

function errorsOf({ needs, method, params, errors = [] }: Operation): readonly ErrorCode[] {
  const withKey: ErrorCode[] = needs === 'no key' ? [] : ['unauthorized'];
  const withRole: ErrorCode[] = ['no key', 'any role'].includes(needs) ? [] : ['insufficient_role'];
  const withParams: ErrorCode[] = Object.keys(params).length > 0 ? ['uri_too_long'] : [];
  const withBody: ErrorCode[] = method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type'];
  return [
    'invalid_request',
    ...withKey,
    ...withRole,
    'version_not_found',
    ...errors,
    ...withBody,
    ...withParams,
    'validation_failed',
    'internal_error',
    'timeout',
    'storage_unavailable',
    'starting',
    'draining',
  ];
}

function errorSchema(codes: readonly ErrorCode[]): Part {
  return {
    type: 'object',
    required: ['error', 'detail'],
    properties: {
      error: { type: 'string', enum: codes, description: 'The error code, for programs.' },
      detail: { type: 'string', description: 'The error in words, and what to do about it.' },
    },
  };
}
