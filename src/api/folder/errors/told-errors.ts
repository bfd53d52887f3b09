import { declaredBody, type Operation } from '@dateline/versions';
import { catalogue, type ErrorCode, isErrorCode } from '../../../errors/catalogue.ts';
import type { ToldError } from './load-errors.ts';

/** An error by its code and its status in Next. */
export interface ErrorKind {
  status: number;
  code: string;
}

const ALWAYS: readonly ErrorCode[] = [
  'invalid_request',
  'not_found',
  'uri_too_long',
  'unsupported_media_type',
  'expectation_failed',
  'misdirected_request',
  'validation_failed',
  'headers_too_large',
  'internal_error',
  'upstream_contract',
  'upstream_failed',
  'draining',
  'starting',
  'storage_unavailable',
  'timeout',
  'upstream_unavailable',
  'upstream_timeout',
];
const OF_TOKENS: readonly ErrorCode[] = ['unauthorized', 'insufficient_scope'];
const OF_BODIES: readonly ErrorCode[] = ['request_timeout', 'payload_too_large'];

const OWN: ReadonlySet<string> = new Set([...ALWAYS, ...OF_TOKENS, ...OF_BODIES]);

/** The errors that Dateline itself answers in place of the upstream, for one operation of a folder. */
export function ownErrorsOf({ security, method }: Operation): ErrorKind[] {
  const readsBodies = method !== 'GET' && method !== 'HEAD';
  const codes = [
    ...ALWAYS,
    ...(security.scheme === 'bearer' ? OF_TOKENS : []),
    ...(readsBodies ? OF_BODIES : []),
  ];
  return codes.map(kindOf);
}

/** Those of an address or a method that leads to no operation. */
export const errorsWithoutOperation: readonly ErrorKind[] = [
  ...ALWAYS,
  ...OF_BODIES,
  'method_not_allowed' as const,
].map(kindOf);

function kindOf(code: ErrorCode): ErrorKind {
  return { code, status: catalogue[code].status };
}

/** All errors of an operation that Dateline writes: its own, and those of the upstream that the contract gives no form. */
export function toldErrorsOf(operation: Operation): ErrorKind[] {
  const formless = Object.entries(operation.errors)
    .map(([status, codes]) => ({ status: Number(status), codes }))
    .filter(({ status }) => !declaredBody(operation, status));
  const declared = formless.flatMap(({ status, codes }) => codes.map((code) => ({ status, code })));
  // The contract of every operation has the others too, whether it takes a token and a body or not.
  return [...ownErrorsOf(operation), ...declared.filter(({ code }) => !OWN.has(code))];
}

/** What `errors.mjs` is tried with. */
export function sampleOfError(
  { status, code }: ErrorKind,
  about: Pick<ToldError, 'version' | 'operation'>,
): ToldError {
  const text = titleOf(code);
  const errors: ToldError['errors'] =
    code === 'validation_failed'
      ? [
          { in: 'body', pointer: '/items/0/name', message: 'must be string' },
          { in: 'query', pointer: '/limit', message: 'must be integer' },
        ]
      : [];
  return {
    status,
    code,
    title: text,
    detail: text,
    errors,
    requestId: 'req_5T2R6Y1B0XHD01K9ZC4V7Q',
    ...about,
  };
}

/** The usual text of a code. */
export function titleOf(code: string): string {
  return isErrorCode(code) ? catalogue[code].text : 'The request was refused.';
}
