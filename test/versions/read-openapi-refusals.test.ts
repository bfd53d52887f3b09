import { readOpenApi } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { ordersOptions, ordersWith } from './orders-files.ts';

type Refusal = readonly [pointer: string, value: unknown, reason: string, location?: string];

const GET = '/paths/~1orders/get';
const POST = '/paths/~1orders/post';
const SENT = '/webhooks/order.sent/post';
const DATA = `${SENT}/requestBody/content/application~1json`;

const extra = { operationId: 'extra', responses: { 204: { description: 'Done.' } } };

/** The list of orders with one parameter, and what is refused in it. */
function parameter(change: object, reason: string, field = ''): Refusal {
  const one = { name: 'a', in: 'query', schema: { type: 'string' }, ...change };
  return [`${GET}/parameters`, [one], reason, `${GET}/parameters/0${field}`];
}

const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });

/** The list of orders with an answer, and what is refused in it. */
function answer(status: string, response: unknown, reason: string, field = ''): Refusal {
  return [`${GET}/responses/${status}`, response, reason, `${GET}/responses/${status}${field}`];
}

const document: readonly Refusal[] = [
  ['/openapi', '2.0', 'OpenAPI 3.1 or 3.0'],
  ['/jsonSchemaDialect', 'https://example.com/', 'JSON Schema 2020-12'],
  ['/info/version', '1.0.0', 'such as "2027-01"'],
  ['/path', {}, 'OpenAPI has no such field here'],
  ['/paths', [], 'it must be an object'],
  ['/webhooks', 7, 'it must be an object'],
];

const paths: readonly Refusal[] = [
  ['/paths/orders', { get: extra }, 'begins with /'],
  ['/paths/~1a~1{b}{c}', { get: extra }, '"{b}{c}" has two parameters'],
  ['/paths/~1a~1~1b', { get: extra }, 'between two slashes is empty'],
  ['/paths/~1a#b', { get: extra }, '"a#b" has the character # in it'],
  ['/paths/~1a%2fb', { get: extra }, '"a%2fb" has the character % in it'],
  ['/paths/~1a~1..', { get: extra }, '".." leads to another path'],
  ['/paths/~1{a}', { get: extra }, 'a of its path is not declared', '/paths/~1{a}/get'],
  ['/paths/~1{a}~1{a}', {}, 'twice'],
  [
    '/paths/~1orders~1{id}',
    {
      delete: {
        ...extra,
        operationId: 'other',
        parameters: [{ ...header('id'), in: 'path', required: true }],
      },
    },
    'same address as DELETE /orders/{number}',
    '/paths/~1orders~1{id}/delete',
  ],
  ['/paths/~1a', { $ref: '#/paths/~1status', get: extra }, 'beside a reference', '/paths/~1a/get'],
];

const operations: readonly Refusal[] = [
  [GET, [], 'it must be an object'],
  [`${GET}/operationId`, '', 'text of 1 to 500 characters'],
  [`${GET}/operationId`, 'a\nb', 'without control characters'],
  [`${GET}/operationId`, 'toString', 'every object of JavaScript'],
  [`${GET}/operationId`, 7, 'text of 1 to 500 characters'],
  [`${POST}/operationId`, 'listOrders', 'also the operationId of #/paths/~1orders/get'],
  [`${GET}/tags`, 'orders', 'a list of names'],
  [`${GET}/paramaters`, [], 'OpenAPI has no such field here'],
];

const bodies: readonly Refusal[] = [
  [`${POST}/requestBody`, {}, 'must name a media type', `${POST}/requestBody/content`],
  [`${POST}/requestBody`, { content: {} }, 'must name a media type', `${POST}/requestBody/content`],
  [`${POST}/requestBody`, { $ref: '#/nowhere' }, 'there is nothing', `${POST}/requestBody/$ref`],
  [`${POST}/requestBody`, { $ref: `#${POST}/requestBody` }, 'it refers to itself'],
  [`${POST}/requestBody`, { $ref: 'a.yaml' }, 'bundle the files first', `${POST}/requestBody/$ref`],
  [`${POST}/requestBody/content/Application~1JSON; charset=utf-8`, {}, 'stands there already'],
  [`${POST}/requestBody/content/*~1*`, {}, 'name one media type'],
  [`${POST}/requestBody/content/text~1plain;v=2`, {}, 'name one media type'],
  [`${POST}/requestBody/content/multipart~1form-data/encoding/a/style`, 'matrix', 'form, spaceDelimited'],
  [`${POST}/requestBody/content/multipart~1form-data/encoding/a/explode`, 'no', 'true or false'],
  [`${POST}/requestBody/content/multipart~1form-data/encoding/a/contentType`, 7, 'a media type'],
];

const parameters: readonly Refusal[] = [
  [`${GET}/parameters`, {}, 'it must be a list'],
  parameter({ in: 'cookie' }, 'cookies are not passed on', '/in'),
  parameter({ name: 'toString' }, 'every object of JavaScript', '/name'),
  parameter({ style: 'matrix' }, 'spaceDelimited, pipeDelimited or deepObject', '/style'),
  parameter({ explode: 'no' }, 'true or false', '/explode'),
  parameter({ in: 'header', style: 'form' }, 'it must be simple', '/style'),
  parameter({ content: {} }, 'name one media type', '/content'),
  parameter({ schema: 'text' }, 'it must be a schema', '/schema'),
  parameter({ in: 'header', name: 'Two words' }, 'no name of a header', '/name'),
  ...['service-version', 'Cookie', 'Host'].map((name) =>
    parameter({ in: 'header', name }, `${name} is no parameter`, '/name'),
  ),
  parameter({ in: 'path', required: true }, 'the path has no {a}'),
  [`${GET}/parameters`, [header('Tag'), header('tag')], 'already', `${GET}/parameters/1`],
  ['/paths/~1orders~1{number}/parameters/0/required', false, 'required: true'],
];

const answers: readonly Refusal[] = [
  [`${GET}/responses`, undefined, 'the status of a success'],
  [`${GET}/responses`, { 404: {}, '4XX': {} }, 'the status of a success'],
  answer('103', {}, 'before an answer'),
  answer('1XX', {}, 'before an answer'),
  answer('600', {}, 'no status'),
  answer('204', { content: { 'text/plain': {} } }, 'has no body', '/content'),
  answer('200', { headers: { 'Set-Cookie': {} } }, 'cookies are not passed on', '/headers/Set-Cookie'),
  answer('409', { 'x-error-codes': ['no code'] }, 'a list of codes', '/x-error-codes'),
];

const security: readonly Refusal[] = [
  [`${GET}/security`, {}, 'a list of requirements'],
  [`${GET}/security`, [7], 'an object with schemes', `${GET}/security/0`],
  [`${SENT}/security`, [{ oauth: ['a'] }, { oauth: ['b'] }], 'say which with x-scopes'],
  [`${GET}/security`, [{ key: [] }], 'no security scheme key', `${GET}/security/0/key`],
  [`${GET}/security`, [{ oauth: ['two words'] }], 'a list of scopes', `${GET}/security/0/oauth`],
  ...[{ type: 'apiKey' }, { type: 'mutualTLS' }, { type: 'http', scheme: 'basic' }].map(
    (scheme): Refusal => ['/components/securitySchemes/oauth', scheme, 'neither oauth2 nor openIdConnect'],
  ),
];

const unsampled = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'string', pattern: '^x{9}$' } },
};
const webhooks: readonly Refusal[] = [
  ['/webhooks/toString', { post: {} }, 'a kind must be text of 1 to 100 characters'],
  ['/webhooks/order.*', { post: {} }, 'would mean many of them'],
  ['/webhooks/order.sent/get', extra, 'is a post'],
  [`${SENT}/x-scopes`, 'orders:read', 'a list of scopes'],
  [DATA, {}, 'the schema of the data is missing'],
  [`${SENT}/requestBody/content`, { 'text/plain': {} }, 'sent as application/json'],
  [`${DATA}/schema`, { type: 'array' }, 'is an object'],
  [`${DATA}/example`, {}, 'does not fit the schema'],
  [`${DATA}/schema`, unsampled, 'give one under example', DATA],
];

const parts = { document, paths, operations, bodies, parameters, answers, security, webhooks };

describe('what a contract cannot keep is refused, with its place and the reason', () => {
  const refusals = Object.entries(parts).flatMap(([part, list]) =>
    list.map(([pointer, value, reason, location = pointer]) => ({ part, pointer, value, reason, location })),
  );

  it.each(refusals)('$part: $place, since "$reason"', ({ pointer, value, reason, location }) => {
    const { contract, problems } = readOpenApi(ordersWith(pointer, value), ordersOptions);
    expect(contract).toBeNull();
    expect(problems).toContainEqual({ path: location, reason: expect.stringContaining(reason) });
  });

  it('is refused once, however many refer to it', () => {
    const { problems } = readOpenApi(
      ordersWith('/paths/~1orders~1{number}/parameters/0/required', false),
      ordersOptions,
    );
    expect(problems).toHaveLength(1);
  });
});
