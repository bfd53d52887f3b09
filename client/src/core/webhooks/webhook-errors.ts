import { DatelineError } from '../dateline-error.ts';

/** A webhook that must not be believed, or cannot be understood. */
export class WebhookError extends DatelineError {
  override readonly name: string = 'WebhookError';
}

/** It was not signed with this secret, or was changed on its way. Answer with 400 or 401. */
export class WebhookSignatureError extends WebhookError {
  override readonly name = 'WebhookSignatureError';
}

/** It was signed too long ago, or too far ahead: it may be a replay. */
export class WebhookTimestampError extends WebhookError {
  override readonly name = 'WebhookTimestampError';
}

/** It is well signed, but is not what webhooks of the format `raw` look like. */
export class WebhookBodyError extends WebhookError {
  override readonly name = 'WebhookBodyError';
}

/** It is well signed, but made in another version than this import's: check the pin of the webhook endpoint. */
export class WebhookVersionError extends WebhookError {
  override readonly name = 'WebhookVersionError';
  readonly expected: string;
  readonly received: string | null;

  constructor(expected: string, received: string | null) {
    super(
      `This webhook is of API version ${received ?? 'unknown'}, and this import reads ${expected}. Set the endpoint's api_version to ${expected}, or import another version.`,
    );
    this.expected = expected;
    this.received = received;
  }
}

/** It is well signed, but of a kind that its version does not have. */
export class WebhookKindError extends WebhookError {
  override readonly name = 'WebhookKindError';
  readonly kind: string;

  constructor(kind: string) {
    super(`There is no webhook of the kind ${JSON.stringify(kind)} in this API version.`);
    this.kind = kind;
  }
}
