/** Why an attempt has failed, in the words that integrators read. They tell nothing about the network we send from. */
const errorTexts = {
  address_not_allowed: 'address not allowed',
  dns: 'the name of the host could not be resolved',
  connection_refused: 'the connection was refused',
  unreachable: 'the host could not be reached',
  connection_reset: 'the connection was closed before a whole answer had come',
  tls: 'no secure connection could be made (TLS); the certificate may be expired, self-signed or for another name',
  timeout: 'no whole answer came in time',
  bad_answer: 'the answer was not valid HTTP, or its headers were too large',
  redirect: 'the answer was a redirect; redirects are not followed',
  status: 'the status of the answer was not 2xx',
  stopped: 'we stopped the attempt before an answer came',
} as const;

export type ErrorClass = keyof typeof errorTexts;

export function errorText(errorClass: ErrorClass): string {
  return errorTexts[errorClass];
}

export interface Answer {
  /** Null if no answer came. It can be there beside an error: a 200 whose body broke off is not a success. */
  status: number | null;
  /** The beginning of the body; null if there was no answer. */
  answerText: string | null;
  retryAfter: string | null;
  /** Null for a whole 2xx answer, and for nothing else. */
  error: ErrorClass | null;
}

export interface Outcome extends Answer {
  durationMs: number;
}

/** Ends an attempt. It has no text of its own: what is told to integrators is `errorText`. */
export class SendingError extends Error {
  override readonly name = 'SendingError';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, cause?: unknown) {
    super(errorClass, { cause });
    this.errorClass = errorClass;
  }
}

const CODES: Readonly<Record<string, ErrorClass>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls',
};

/** What an error of the system means; `otherwise` is what it means at this stage if its code does not say it. */
export function errorClassOf(error: unknown, otherwise: ErrorClass): ErrorClass {
  if (error instanceof SendingError) return error.errorClass;
  const code = codeOf(error);
  return CODES[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'tls' : otherwise);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
