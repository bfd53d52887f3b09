import { declaredBody, type Operation } from '@dateline/versions';
import { ApiError } from '../../../../errors/api-error.ts';
import type { BufferedAnswer } from '../../../../upstream/types.ts';
import type { AskBetween } from '../ask-backend.ts';
import { echoParams } from './echo-params.ts';
import { createSampledAnswers, type SampledAnswer } from './sampled-answer.ts';
import type { StatedAnswers } from './stated-answers.ts';

/**
 * Answers operations in the place of the upstream, as their contract says: with the first success, or the status that the caller asks
 * for with `Prefer: status=404`. What a path names is echoed, so that what is read by its id has that id.
 */
export function createMock(stated: StatedAnswers): AskBetween {
  const answerOf = createMockAnswers(stated);
  return async ({ head }, { ask, request }) =>
    answerOf(head, { params: ask.request.params, preferred: preferredStatus(request.headers.prefer) });
}

export interface MockedCall {
  params: Readonly<Record<string, string>>;
  /** The status that the caller wants; null for the first success. */
  preferred: number | null;
}

/** Throws where no answer can be made. */
export function createMockAnswers(
  stated: StatedAnswers,
): (head: Operation, call: MockedCall) => BufferedAnswer {
  const answerOf = createSampledAnswers(stated);
  return (head, { params, preferred }) => {
    if (preferred !== null) return inFull(head, requireAnswer(head, preferred), params);
    for (const status of successesOf(head)) {
      const answer = answerOf(head, status);
      if (answer) return inFull(head, answer, params);
    }
    throw noSample(head, 'no example can be made of the schema of its success');
  };

  function requireAnswer(head: Operation, status: number): SampledAnswer {
    const isDeclared = declaredBody(head, status) !== undefined || status in head.errors;
    if (!isDeclared) throw noSample(head, `its contract has no status ${status}, which Prefer asks for`);
    const answer = answerOf(head, status);
    if (answer) return answer;
    throw noSample(head, `no example can be made of the schema of its status ${status}`);
  }
}

/** RFC 7240 §2; other mocks take `code` for the same. */
function preferredStatus(prefer: string | string[] | undefined): number | null {
  const [, status] = /(?:^|[,;\s])(?:status|code)\s*=\s*"?([2-5]\d\d)"?/i.exec(String(prefer ?? '')) ?? [];
  return status === undefined ? null : Number(status);
}

/** Those that say something about a whole request come first; a part and what was not modified answer other questions. */
function successesOf({ responses, ranges = {} }: Operation): number[] {
  const named = Object.keys(responses).map(Number);
  const ranged = Object.keys(ranges)
    .filter((range) => /^[23]XX$/.test(range))
    .map((range) => Number(range[0]) * 100);
  const [last, first] = [new Set([206, 304]), [...named, ...ranged].sort((one, other) => one - other)];
  return [...first.filter((status) => !last.has(status)), ...first.filter((status) => last.has(status))];
}

function inFull(
  head: Operation,
  { status, headers, mediaType, body, value }: SampledAnswer,
  params: Readonly<Record<string, string>>,
): BufferedAnswer {
  const echoed = value === undefined ? undefined : echoParams(head, { status, value, params });
  const bytes = echoed === undefined ? body : Buffer.from(JSON.stringify(echoed));
  const type = mediaType === null ? {} : { 'content-type': mediaType };
  return { status, headers: { ...headers, ...type }, body: head.method === 'HEAD' ? Buffer.alloc(0) : bytes };
}

function noSample({ id }: Operation, reason: string): ApiError {
  return new ApiError('mock_not_possible', {
    detail: `There is no mock answer of ${id}: ${reason}. Write an example into the contract, or run without --mock.`,
  });
}
