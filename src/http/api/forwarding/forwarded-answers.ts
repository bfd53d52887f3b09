import {
  type Body,
  type CompiledOperation,
  isJsonType,
  type Json,
  type Operation,
  responseValidators,
  type UpgradableRequest,
  type Validate,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { jsonIn } from './json-in.ts';
import { mediaTypeIn } from './streamed-answers.ts';

export interface AnswerRules {
  /** The operation of the caller's version. */
  compiled: CompiledOperation;
  /** The one of Next that the upstream answers. */
  head: Operation;
  /** Refuses an answer outside of the contract, which is otherwise passed on and counted. */
  isStrict: boolean;
  onViolation(): void;
}

/** A success of the upstream as the caller gets it: bytes, or a stream that nothing has to change. */
export type SentAnswer = {
  status: number;
  mediaType: string | null;
  body: Buffer | string | NodeJS.ReadableStream | null;
};

export type AnswerReader = (answer: UpstreamAnswer, asked: UpgradableRequest) => SentAnswer;

/** Checks the answers of one operation against Next, and downgrades them. */
export function createAnswerReader(rules: AnswerRules): AnswerReader {
  const { compiled, head, isStrict, onViolation } = rules;
  const validators: Readonly<Record<number, Validate>> = responseValidators(head);

  return function readAnswer(answer: UpstreamAnswer, asked: UpgradableRequest): SentAnswer {
    const { status } = answer;
    const mediaType = mediaTypeOf(answer);
    const problem = shapeProblem(head, status, mediaType);
    if (problem !== null) violation(problem);
    if ('stream' in answer) return streamed(answer);
    if (answer.body.length === 0) return { status, mediaType: null, body: null };
    const isMain =
      mediaType !== null && mediaType === head.responses[status]?.mediaType && isJsonType(mediaType);
    if (!isMain) return { status, mediaType, body: answer.body };
    const value = jsonIn(answer.body);
    if (value === undefined)
      return violation('the body is no JSON') ?? { status, mediaType, body: answer.body };
    const [finding] = validators[status]?.(value) ?? [];
    if (finding) violation(`${finding.instancePath || 'the body'} ${finding.message}`);
    // What no version changes goes through byte by byte: numbers keep their digits.
    if (!compiled.downgradeResponse) return { status, mediaType, body: answer.body };
    return { status, mediaType, body: JSON.stringify(downgraded(value as Json, status, asked)) };
  };

  function streamed(answer: Extract<UpstreamAnswer, { stream: unknown }>): SentAnswer {
    const mediaType = mediaTypeOf(answer);
    if (compiled.downgradeResponse && mediaType !== null && isJsonType(mediaType))
      throw refused('it is too large to be translated');
    return { status: answer.status, mediaType, body: answer.stream };
  }

  function downgraded(value: Json, status: number, asked: UpgradableRequest): Json {
    try {
      return compiled.downgradeResponse?.(value, { request: asked, status, extras: {} }) ?? value;
    } catch (error) {
      throw refused(`a change could not translate it: ${String(error)}`);
    }
  }

  function violation(problem: string): null {
    onViolation();
    if (isStrict) throw refused(problem);
    return null;
  }

  function refused(problem: string): ApiError {
    return new ApiError('upstream_contract', { internal: `${head.id}: ${problem}` });
  }
}

function shapeProblem({ responses }: Operation, status: number, mediaType: string | null): string | null {
  if (!(status in responses)) return `the status ${status} is not in the contract`;
  const body: Body | null = responses[status] ?? null;
  const known = body ? [body.mediaType, ...(body.others ?? []).map((other) => other.mediaType)] : [];
  if (mediaType === null) return body === null ? null : 'the body is missing';
  if (known.includes(mediaType)) return null;
  return body === null ? 'there is a body' : `the media type ${mediaType} is not in the contract`;
}

function mediaTypeOf(answer: UpstreamAnswer): string | null {
  if (!('stream' in answer) && answer.body.length === 0) return null;
  return mediaTypeIn(answer.headers);
}
