import {
  type Body,
  declaredBody,
  isJsonType,
  type Operation,
  type Validate,
  validator,
} from '@dateline/versions';

/** Checks answers against what the contract of one operation says about them: successes and errors. */
export interface AnswerCheck {
  /** Returns what is wrong with a status, or with the media type of its body; null if nothing is. */
  shapeProblem(status: number, mediaType: string | null): string | null;
  /** True where the body is the JSON that the contract describes, so that it is looked into. */
  isMainJson(status: number, mediaType: string | null): boolean;
  /** Returns what is wrong with such a body; null if nothing is. */
  jsonProblem(status: number, value: unknown): string | null;
}

const PARTIAL_CONTENT = 206;

export function createAnswerCheck(operation: Operation): AnswerCheck {
  const validators = new Map<Body, Validate>();

  function validatorOf(body: Body): Validate {
    const known = validators.get(body);
    if (known) return known;
    const made = validator(body.schema);
    validators.set(body, made);
    return made;
  }

  return {
    shapeProblem(status, mediaType) {
      const body = declaredBody(operation, status);
      if (body === undefined) return `the status ${status} is not in the contract`;
      if (mediaType === null)
        return body === null || operation.method === 'HEAD' ? null : 'the body is missing';
      if (body === null) return 'there is a body';
      return isOneOf(body, mediaType) ? null : `the media type ${mediaType} is not in the contract`;
    },
    // A part of JSON is none.
    isMainJson: (status, mediaType) =>
      mediaType !== null &&
      status !== PARTIAL_CONTENT &&
      mediaType === declaredBody(operation, status)?.mediaType &&
      isJsonType(mediaType),
    jsonProblem(status, value) {
      const body = declaredBody(operation, status);
      const [finding] = body ? validatorOf(body)(value) : [];
      return finding ? `${finding.instancePath || 'the body'} ${finding.message}` : null;
    },
  };
}

function isOneOf({ mediaType: main, others }: Body, mediaType: string): boolean {
  return mediaType === main || others?.some((other) => other.mediaType === mediaType) === true;
}
