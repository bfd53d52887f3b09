import {
  type CompiledOperation,
  declaredBody,
  type ErrorFacts,
  type Json,
  type Operation,
  type UpgradableRequest,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { catalogue, isErrorCode } from '../../../errors/catalogue.ts';
import type { BufferedAnswer, UpstreamAnswer } from '../../../upstream/types.ts';
import { createAnswerCheck } from './answer-check.ts';
import { type AnswerRules, mediaTypeOf, type SentAnswer } from './forwarded-answers.ts';
import { isObject, jsonIn, writtenJson } from './json-in.ts';

const DETAIL_LENGTH_MAX = 500;

/** Null where its contract gives it no form of its own: then it is told in ours, by its code and text. */
export type ErrorReader = (answer: UpstreamAnswer, asked: UpgradableRequest) => SentAnswer | null;

/** Reads errors that have a form of their own in the contract: they arrive in it, byte by byte where no version changes them. */
export function createErrorReader({ compiled, head, isStrict, onViolation }: AnswerRules): ErrorReader {
  const { operation, answersDiffer, downgradeErrorBody, downgradeStatus } = compiled;
  const [inHead, inOwn] = [createAnswerCheck(head), createAnswerCheck(operation)];
  const isTranslated = answersDiffer || downgradeErrorBody !== null || downgradeStatus !== null;

  return function readError(answer, asked) {
    if ('stream' in answer) return null;
    const { status } = answer;
    if (isToldInOurForm(head, status)) return null;
    const problem = inHead.shapeProblem(status, mediaTypeOf(answer)) ?? bodyProblem(answer);
    if (problem !== null) {
      onViolation();
      // What it says of its own failures is not for callers, unless its contract has it.
      if (status >= 500) return null;
      if (isStrict) throw refused(problem);
    }
    return isTranslated ? translated(answer, asked) : asItIs(answer);
  };

  function bodyProblem(answer: BufferedAnswer): string | null {
    const { status, body } = answer;
    if (!inHead.isMainJson(status, mediaTypeOf(answer))) return null;
    const value = jsonIn(body);
    return value === undefined ? 'the body is no JSON' : inHead.jsonProblem(status, value);
  }

  function translated(answer: BufferedAnswer, asked: UpgradableRequest): SentAnswer | null {
    const status = downgradeStatus?.(answer.status) ?? answer.status;
    const own = declaredBody(operation, status);
    // This version knows no such form.
    if (!own) return null;
    const isJson = inHead.isMainJson(answer.status, mediaTypeOf(answer));
    const mediaType = isJson ? own.mediaType : mediaTypeOf(answer);
    const given = isJson ? jsonIn(answer.body) : undefined;
    const { body, json } =
      given === undefined ? { body: answer.body, json: given } : downgraded(answer, given, asked);
    const problem =
      inOwn.shapeProblem(status, mediaType) ?? (json === undefined ? null : inOwn.jsonProblem(status, json));
    if (problem !== null) {
      onViolation();
      throw refused(`as the caller's version has it, ${problem}`);
    }
    return { status, mediaType, body };
  }

  /** An error that no change edits stays as it came, byte by byte. */
  function downgraded(
    { status, body }: BufferedAnswer,
    json: unknown,
    asked: UpgradableRequest,
  ): { body: SentAnswer['body']; json: unknown } {
    if (!downgradeErrorBody) return { body, json };
    try {
      const made = downgradeErrorBody(json as Json, { request: asked, status, extras: {} });
      return made === json ? { body, json } : writtenJson(made);
    } catch (error) {
      onViolation();
      throw refused(`a change could not translate it: ${String(error)}`);
    }
  }

  function refused(problem: string): ApiError {
    return new ApiError('upstream_contract', { internal: `${head.id}: the error: ${problem}` });
  }
}

/** True for an error of which no more than its code and text is told. */
export function isToldInOurForm(head: Operation, status: number): boolean {
  const body = declaredBody(head, status);
  return body === null || (body === undefined && (status >= 500 || status in head.errors));
}

function asItIs(answer: BufferedAnswer): SentAnswer {
  const { status, body } = answer;
  return { status, mediaType: mediaTypeOf(answer), body: body.length === 0 ? null : body };
}

/** An error of the upstream in the version of the caller. */
export function downgradedError(inHead: ErrorFacts, compiled: CompiledOperation): ErrorFacts {
  return asKnown(compiled.downgradeError(inHead), compiled.operation);
}

/** The facts of an error answer: its code and text, as the usual shapes of errors have them. */
export function errorFactsOf(status: number, body: unknown): ErrorFacts {
  const members = isObject(body) ? body : {};
  const firstText = (...names: string[]): string | undefined =>
    names
      .map((name) => members[name])
      .find((value): value is string => typeof value === 'string' && value !== '');
  return {
    status,
    code: firstText('code', 'error') ?? '',
    detail: (firstText('detail', 'message', 'error_description', 'title') ?? '').slice(0, DETAIL_LENGTH_MAX),
  };
}

/** What an operation does not know becomes what its contract has. */
export function asKnown({ status, code, detail }: ErrorFacts, { errors }: Operation): ErrorFacts {
  const codes = errors[status];
  if (codes?.includes(code)) return worded({ status, code, detail });
  // What it says of its own failures is not for callers, unless its contract has it.
  if (status >= 500) return worded({ ...(failures[status] ?? FAILED), detail: '' });
  const [usual] = codes ?? [];
  return worded(
    usual === undefined ? { status: 400, code: 'invalid_request', detail } : { status, code: usual, detail },
  );
}

const FAILED = { status: 502, code: 'upstream_failed' };
const failures: Readonly<Record<number, Omit<ErrorFacts, 'detail'>>> = {
  503: { status: 503, code: 'upstream_unavailable' },
  504: { status: 504, code: 'upstream_timeout' },
};

function worded({ status, code, detail }: ErrorFacts): ErrorFacts {
  const text = isErrorCode(code) ? catalogue[code].text : 'The request was refused.';
  return { status, code, detail: detail || text };
}
