import { type Contract, methods, type Operation } from '@dateline/versions';
import type { Actor } from './cast.ts';
import type { Step } from './step.ts';

/**
 * What fails in the same way for every operation: played for each one whose contract lists the code, with
 * the first request of the script that the operation answers with success. None of these reaches its handler.
 */
export function commonSteps(contract: Contract, script: readonly Step[]): Step[] {
  return [
    ...contract.operations.flatMap((operation) => {
      const sample = script.find(
        ({ operation: id, answers }) => id === operation.id && answers.startsWith('2'),
      );
      return sample ? wrongSteps(operation, sample) : [];
    }),
    ...strayingSteps(contract),
  ];
}

type Variation = Partial<Step> & { what: string };

const variations: Readonly<Record<string, (operation: Operation) => Variation[]>> = {
  unauthorized: () => [
    { what: 'without a token', as: 'nobody' },
    { what: 'with a token that was never issued', as: 'unknown' },
  ],
  insufficient_scope: ({ security }) =>
    needsScopes(security) ? [{ what: 'without its scope', as: withoutScope(security) }] : [],
  invalid_request: ({ path, body }) => {
    if (body?.mediaType === 'application/json')
      return [{ what: 'with JSON that is cut off', body: { type: body.mediaType, text: '{"name":' } }];
    return path.includes('{') ? [{ what: 'at an address that cannot be read', path: at(path, '%zz') }] : [];
  },
  uri_too_long: ({ path }) => [{ what: 'at an address that is too long', path: at(path, 'x'.repeat(500)) }],
  payload_too_large: ({ body }) => [
    {
      what: 'with a body that is too large',
      body: { type: body?.mediaType ?? 'application/json', bytes: 300_000 },
    },
  ],
  unsupported_media_type: () => [
    { what: 'with a body of another type', body: { type: 'application/xml', text: '<name/>' } },
  ],
  storage_unavailable: () => [{ what: 'while the storage is down', trouble: 'storage_down' }],
  internal_error: () => [{ what: 'while there is a bug', trouble: 'bug' }],
  timeout: () => [{ what: 'while the storage hangs', trouble: 'hang' }],
  // In OAuth's error shape.
  '400 invalid_request': (operation) =>
    isForm(operation)
      ? [{ what: 'with a field given twice', body: formText('token=x&token=y') }]
      : (variations.invalid_request?.(operation) ?? []),
  // Some send their token in another header.
  '401 invalid_token': (operation) =>
    operation.security.scheme === 'none'
      ? []
      : (variations.unauthorized?.(operation) ?? []).map((variation) => ({ ...variation, headers: {} })),
  '414 invalid_request': (operation) => variations.uri_too_long?.(operation) ?? [],
  '401 invalid_client': (operation) => [
    {
      what: 'without a client',
      body: isForm(operation) ? formText('token=x&grant_type=x') : { json: { tokens: ['x'] } },
    },
  ],
  '413 invalid_request': ({ body }) => [
    { what: 'with a body that is too large', body: { type: body?.mediaType ?? FORM, bytes: 300_000 } },
  ],
  '415 invalid_request': () => [
    { what: 'with a body of another type', body: { type: 'application/xml', text: '<token/>' } },
  ],
  '500 server_error': () => [{ what: 'while there is a bug', trouble: 'bug' }],
  '503 temporarily_unavailable': () => [
    { what: 'while the storage is down', trouble: 'storage_down' },
    { what: 'while the storage hangs', trouble: 'hang' },
  ],
};

const FORM = 'application/x-www-form-urlencoded';
const formText = (text: string) => ({ type: FORM, text });
const isForm = ({ body }: Operation): boolean => body?.mediaType === FORM;

/** Only an operation that needs a scope can miss it. Older versions list the code where newer ones need one. */
export function needsScopes(security: Operation['security']): boolean {
  return security.scheme === 'bearer' && security.scopes.length > 0;
}

/** The unscoped person has signed in at least; a machine has not. */
function withoutScope(security: Operation['security']): Actor {
  return security.scheme === 'bearer' && security.scopes.includes('openid') ? 'machine' : 'unscoped';
}

function wrongSteps(operation: Operation, { save: _save, waitSeconds: _wait, ...sample }: Step): Step[] {
  const listed = Object.entries(operation.errors).flatMap(([status, codes]) =>
    codes.map((code) => ({ status, code })),
  );
  return listed.flatMap(({ status, code }) =>
    ((variations[`${status} ${code}`] ?? variations[code])?.(operation) ?? []).map(({ what, ...change }) => ({
      ...sample,
      ...change,
      name: `${operation.id}: ${what}`,
      answers: `${status} ${code}`,
    })),
  );
}

/** Paths and methods that are no operation: answered with the version's own list of methods. */
function strayingSteps({ operations }: Contract): Step[] {
  const straying = { operation: null, as: 'owner' } as const;
  const paths = [...new Set(operations.map(({ path }) => path))];
  return [
    {
      ...straying,
      name: 'an address that is none',
      method: 'GET',
      path: '/v1/nowhere',
      answers: '404 not_found',
    },
    ...paths.flatMap((path) => {
      const there = operations.filter((operation) => operation.path === path);
      const taken = there.map(({ method }) => method);
      const code = there.some(({ errorShape }) => errorShape?.name === 'oauth')
        ? 'invalid_request'
        : 'method_not_allowed';
      // What takes a GET takes a HEAD.
      const method = methods.find((known) => known !== 'HEAD' && !taken.includes(known));
      if (!method) return [];
      const name = `${path}: with ${method}, which it does not take`;
      return [{ ...straying, name, method, path: at(path, 'x'), answers: `405 ${code}` }];
    }),
  ];
}

function at(path: string, value: string): string {
  return path.replaceAll(/\{\w+\}/g, value);
}
