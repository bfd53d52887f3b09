import { errorCode } from '../../kernel/error-facts.ts';
import type { StageTimes } from './stopwatch.ts';

/** Why an attempt has failed, as integrators read it. No class says anything about the network we send from. */
export type ErrorClass =
  | 'address_not_allowed'
  | 'dns'
  | 'connection_refused'
  | 'unreachable'
  /** The connection was closed before a whole answer had come. */
  | 'connection_reset'
  /** No secure connection: the certificate may be expired, self-signed or for another name. */
  | 'tls'
  | 'timeout'
  /** Not valid HTTP, or headers that are too large. */
  | 'bad_answer'
  /** Redirects are not followed. */
  | 'redirect'
  /** The status was not 2xx. */
  | 'status'
  /** We ended the attempt before an answer came. */
  | 'stopped';

/** By name; several values of one name are joined. */
export type AnswerHeaders = Readonly<Record<string, string>>;

export interface Answer {
  /** Null if no answer came. It can be there beside an error: a 200 whose body broke off is not a success. */
  status: number | null;
  /** The beginning of the body; null if there was no answer. */
  answerText: string | null;
  retryAfter: string | null;
  /** The headers of the answer, the first ones where there are many; null if there was no answer. */
  answerHeaders: AnswerHeaders | null;
  /** Null for a whole 2xx answer, and for nothing else. */
  error: ErrorClass | null;
}

export interface Outcome extends Answer {
  durationMs: number;
  stageTimes: StageTimes;
}

/** Ends an attempt. Its class is all that integrators see of it. */
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

/** The class of a system error; `otherwise` is that of this stage, for a code that is not known. */
export function errorClassOf(error: unknown, otherwise: ErrorClass): ErrorClass {
  const code = errorCode(error) ?? '';
  return CODES[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'tls' : otherwise);
}
