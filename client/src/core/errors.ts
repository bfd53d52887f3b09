import { DatelineError } from './dateline-error.ts';
import { membersOf } from './members.ts';

export interface ApiErrorFacts {
  code: string;
  status: number;
  message: string;
  /** The id of this call in the service's log. */
  requestId: string | null;
  /** The body as it came: parsed if it was JSON, else its text. */
  body: unknown;
  retryAfterMs: number | null;
}

/** The service has answered with an error. There is a class for every code that it may have. */
export class ApiError<Code extends string = string> extends DatelineError {
  override readonly name: string;
  readonly code: Code;
  readonly status: number;
  readonly requestId: string | null;
  readonly body: unknown;
  readonly retryAfterMs: number | null;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.name = nameOf(facts.code);
    this.code = facts.code as Code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.body = facts.body;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** `invalid_grant` is an `InvalidGrantError`, also where a bundler has renamed the class. */
function nameOf(code: string): string {
  return `${code.replace(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())}Error`;
}

/** The service does not serve the version of this import. */
export class VersionNotFoundError extends ApiError<'version_not_found'> {
  /** The versions that it serves. */
  readonly supported: readonly string[];
  readonly current: string | null;

  constructor(facts: ApiErrorFacts) {
    super(facts);
    const { supported, current } = membersOf(facts.body);
    this.supported = Array.isArray(supported) ? supported.map(String) : [];
    this.current = typeof current === 'string' ? current : null;
  }
}

/** The version of this import was removed: import one of `supported` instead. */
export class VersionRemovedError extends VersionNotFoundError {
  override readonly name = 'VersionRemovedError';
  readonly removedAt: Date | null;

  constructor(facts: ApiErrorFacts) {
    super(facts);
    const { removed_at: removedAt } = membersOf(facts.body);
    this.removedAt = typeof removedAt === 'string' && removedAt ? new Date(removedAt) : null;
  }
}

/** The answer is of another version than the one that was asked for: something in between has changed the header. */
export class VersionMismatchError extends DatelineError {
  override readonly name = 'VersionMismatchError';
  readonly requested: string;
  /** Null: the answer does not say. */
  readonly answered: string | null;
  readonly status: number;
  readonly requestId: string | null;

  constructor(facts: Pick<VersionMismatchError, 'requested' | 'answered' | 'status' | 'requestId'>) {
    super(
      `Asked for API version ${facts.requested}, but the answer ${facts.answered === null ? 'names none' : `is of ${facts.answered}`}. Look for a proxy that changes the Service-Version header.`,
    );
    this.requested = facts.requested;
    this.answered = facts.answered;
    this.status = facts.status;
    this.requestId = facts.requestId;
  }
}

/** There was no answer: nothing listens there, or the connection broke. `cause` has the details. */
export class ConnectionError extends DatelineError {
  override readonly name: string = 'ConnectionError';
}

/** There was no whole answer within `timeoutMs`. */
export class CallTimeoutError extends ConnectionError {
  override readonly name = 'CallTimeoutError';
}

/** The client was made, or a call was made, without something that it needs. */
export class UsageError extends DatelineError {
  override readonly name = 'UsageError';
}
