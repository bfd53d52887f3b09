import { catalogue, type ErrorCode } from './catalogue.ts';

export interface ApiErrorOptions {
  /** Replaces the catalogue's text with a more specific one. */
  detail?: string;
  /** For the log only. */
  internal?: string;
  headers?: Readonly<Record<string, string>>;
  /** More members of the body, for the few errors that have them. */
  members?: Readonly<Record<string, unknown>>;
  /** The parts of the request that are wrong. */
  fields?: readonly FieldError[];
  cause?: unknown;
}

/** What is wrong with one part of a request. No value is in it: that may be secret. */
export interface FieldError {
  in: 'path' | 'query' | 'header' | 'body';
  /** A JSON pointer into that part: `/lines/0/quantity`. */
  pointer: string;
  message: string;
}

/** An error that becomes a response: thrown by rooms and routes, written by `error-body.ts` alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly internal: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const detail = options.detail ?? catalogue[code].text;
    super(detail, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = catalogue[code].status;
    this.detail = detail;
    this.internal = options.internal;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.fields = options.fields ?? [];
  }
}

/** A name that a caller sent, for a `detail`. What does not look like a name may be a secret in the wrong place. */
export function quotableName(sent: string, otherwise: string): string {
  return /^[a-z_]{1,32}$/.test(sent) ? sent : otherwise;
}
