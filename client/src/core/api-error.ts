import { DatelineError } from './dateline-error.ts';

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
