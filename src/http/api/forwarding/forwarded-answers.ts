import {
  type CompiledOperation,
  declaredBody,
  type Headers,
  isJsonType,
  type Json,
  type Operation,
  type ResponseContext,
  type UpgradableRequest,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { answeredHeadersOf, declaredHeadersOf } from '../../../upstream/answered-headers.ts';
import { isDeclarable } from '../../../upstream/declarable-headers.ts';
import type { AddressTranslation } from '../../../upstream/own-address.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { createAnswerCheck } from './answer-check.ts';
import { impliedAnswerHeaders } from './implied-headers.ts';
import { jsonIn, writtenJson } from './json-in.ts';
import { sendableHeaders } from './sendable-headers.ts';
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

/** Checks the answers of one operation against the contract that the upstream keeps, and downgrades them to the caller's. */
export function createAnswerReader(rules: AnswerRules): AnswerReader {
  const { compiled, head, isStrict, onViolation } = rules;
  const { operation } = compiled;
  const [inHead, inOwn] = [createAnswerCheck(head), createAnswerCheck(operation)];
  const { answersDiffer, downgradeResponse, downgradeContent, downgradeStatus } = compiled;
  const isTranslated =
    answersDiffer || [downgradeResponse, downgradeContent, downgradeStatus].some((code) => code !== null);

  return function readAnswer(answer: UpstreamAnswer, asked: UpgradableRequest): SentAnswer {
    const sent = readInHead(answer);
    if (!isTranslated) return sent;
    const translated = translatedAnswer(sent, asked);
    const problem = ownProblem(translated);
    if (problem === null) return translated;
    onViolation();
    throw refused(`as the caller's version has it, ${problem}`);
  };

  /** The answer as it came. Where it is outside of its contract, it is refused or counted. */
  function readInHead(answer: UpstreamAnswer): CheckedAnswer {
    const { status } = answer;
    // What frameworks say to people beside a redirection is no part of the contract (RFC 9110 §15.4).
    if (isRedirection(status) && declaredBody(head, status) === null)
      return { status, mediaType: null, body: null };
    const mediaType = mediaTypeOf(answer);
    const problem = inHead.shapeProblem(status, mediaType);
    if (problem !== null) violation(problem);
    if ('stream' in answer) return { status, mediaType, body: answer.stream };
    if (answer.body.length === 0) return { status, mediaType: null, body: null };
    if (!inHead.isMainJson(status, mediaType)) return { status, mediaType, body: answer.body };
    const value = jsonIn(answer.body);
    const found = value === undefined ? 'the body is no JSON' : inHead.jsonProblem(status, value);
    if (found !== null) violation(found);
    return value === undefined
      ? { status, mediaType, body: answer.body }
      : { status, mediaType, body: answer.body, json: value };
  }

  function translatedAnswer(sent: CheckedAnswer, asked: UpgradableRequest): CheckedAnswer {
    const { body, mediaType, json } = sent;
    const status = downgradeStatus?.(sent.status) ?? sent.status;
    const context = { request: asked, status: sent.status, extras: {} };
    if (isStream(body)) {
      if (mediaType !== null && isJsonType(mediaType)) throw refused('it is too large to be translated');
      return { ...sent, status };
    }
    if (json !== undefined) {
      const type = declaredBody(operation, status)?.mediaType ?? mediaType;
      // What no version changes goes through byte by byte: numbers keep their digits.
      if (!downgradeResponse) return { ...sent, status, mediaType: type };
      const written = translate(() => writtenJson(downgradeResponse(json as Json, context)));
      return { status, mediaType: type, ...written };
    }
    if (!downgradeContent || mediaType === null || !(body instanceof Buffer)) return { ...sent, status };
    const content = translate(() => downgradeContent({ mediaType, bytes: body }, context));
    return { status, mediaType: content.mediaType, body: Buffer.from(content.bytes) };
  }

  /** Where an answer does not fit the version of its caller; null if it does. */
  function ownProblem({ status, mediaType, json }: CheckedAnswer): string | null {
    const problem = inOwn.shapeProblem(status, mediaType);
    return problem !== null || json === undefined ? problem : inOwn.jsonProblem(status, json);
  }

  function translate<Value>(translation: () => Value): Value {
    try {
      return translation();
    } catch (error) {
      onViolation();
      throw refused(`a change could not translate it: ${String(error)}`);
    }
  }

  function violation(problem: string): void {
    onViolation();
    if (isStrict) throw refused(problem);
  }

  function refused(problem: string): ApiError {
    return new ApiError('upstream_contract', { internal: `${head.id}: ${problem}` });
  }
}

/** An answer, and the value of its JSON where that was looked at. */
type CheckedAnswer = SentAnswer & { json?: unknown };

export interface HeaderRules extends Pick<AnswerRules, 'compiled' | 'head' | 'onViolation'> {
  ownAddress: AddressTranslation;
}

/** Returns the headers of answers that the caller gets: the usual ones, and those that its own version declares. */
export function createHeaderTranslation({ compiled, head, onViolation, ownAddress }: HeaderRules) {
  const usual = answeredHeadersOf(impliedAnswerHeaders(compiled));
  const declared = declaredHeadersOf(head.answerHeaders ?? []);
  const known = (compiled.operation.answerHeaders ?? []).filter(isDeclarable);
  return (answer: UpstreamAnswer, asked: UpgradableRequest): Record<string, string> => {
    const given = declared(answer.headers);
    const context = { request: asked, status: answer.status, extras: {} };
    const own = compiled.downgradeHeaders ? downgradedHeaders(given, context) : given;
    const headers = usual(answer.headers);
    for (const name of known) {
      const value = Object.hasOwn(own, name) ? own[name] : undefined;
      if (value !== undefined) headers[name] = value;
    }
    return withOwnAddresses(headers);
  };

  /** No caller learns where the upstream is. */
  function withOwnAddresses(headers: Record<string, string>): Record<string, string> {
    for (const name of ['location', 'content-location'])
      if (headers[name] !== undefined) headers[name] = addressFor(headers[name]);
    if (headers.link !== undefined)
      headers.link = headers.link.replaceAll(/<([^>]*)>/g, (_link, address) => `<${addressFor(address)}>`);
    return headers;
  }

  function addressFor(address: string): string {
    const own = ownAddress(address);
    if (own !== null) return own;
    onViolation();
    throw new ApiError('upstream_contract', { internal: `${head.id}: it leads to an address of its own` });
  }

  function downgradedHeaders(given: Headers, context: ResponseContext): Headers {
    try {
      return sendableHeaders(compiled.downgradeHeaders?.(given, context) ?? given);
    } catch (error) {
      onViolation();
      const internal = `${head.id}: a change could not translate its headers: ${String(error)}`;
      throw new ApiError('upstream_contract', { internal });
    }
  }
}

export function isRedirection(status: number): boolean {
  return status >= 300 && status < 400;
}

function isStream(body: SentAnswer['body']): body is NodeJS.ReadableStream {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

/** Null where there is no body. */
export function mediaTypeOf(answer: UpstreamAnswer): string | null {
  if (!('stream' in answer) && answer.body.length === 0) return null;
  return mediaTypeIn(answer.headers);
}
