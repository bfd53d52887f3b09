import { errorsByCode } from '../shared/errors-by-code.ts';
import {
  ApiError,
  type ApiErrorFacts,
  VersionMismatchError,
  VersionNotFoundError,
  VersionRemovedError,
} from './errors.ts';
import { membersOf } from './members.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The body of a success in the version that was asked for. Throws the error of any other answer. */
export function readAnswer(requested: string, { status, headers, text }: Answer): unknown {
  const isSuccess = status >= 200 && status < 300;
  const answered = headers.get('service-version');
  const requestId = headers.get('x-request-id');
  const body = parse(text);
  const error = isSuccess ? null : errorOf({ status, headers, body, requestId });
  if (error instanceof VersionNotFoundError) throw error;
  // Errors of a gateway before the service do not have to know of versions.
  if (answered !== requested && (isSuccess || answered !== null)) {
    throw new VersionMismatchError({ requested, answered, status, requestId });
  }
  if (error) throw error;
  return body;
}

/** The same where there are no versions: in the operator API. */
export function readUnversioned({ status, headers, text }: Answer): unknown {
  const body = parse(text);
  if (status >= 200 && status < 300) return body;
  throw errorOf({ status, headers, body, requestId: headers.get('x-request-id') });
}

/** `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. */
export function retryAfterMs(headers: Headers, nowMs: number = Date.now()): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function errorOf(answer: { status: number; headers: Headers; body: unknown; requestId: string | null }) {
  const { status, headers, body, requestId } = answer;
  const members = membersOf(body);
  const code = firstText(members.code, members.error) ?? `http_${status}`;
  const facts: ApiErrorFacts = {
    code,
    status,
    message: firstText(members.detail, members.error_description) ?? `The service answered with ${status}.`,
    requestId,
    body,
    retryAfterMs: retryAfterMs(headers),
  };
  if (code === 'version_not_found') {
    return members.reason === 'removed' ? new VersionRemovedError(facts) : new VersionNotFoundError(facts);
  }
  const [, ErrorClass] = Object.entries(errorsByCode).find(([known]) => known === code) ?? [code, ApiError];
  return new ErrorClass(facts);
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
