import type { Bridge } from '../compile/bridge.ts';
import type { Json, ResponseContext } from '../contract/change.ts';
import { type Body, declaredBody, type Operation } from '../contract/contract.ts';
import { isPart, type OpenApiDocument } from '../openapi/plain-data.ts';
import { isJsonType } from '../reading/read-content.ts';
import { examplesOf, partAt } from '../samples/sample-in.ts';
import { sampleOf } from '../samples/sample-of.ts';
import { validator } from '../schema/validator.ts';
import { findCounterexample } from './find-counterexample.ts';
import { asSent, judged, proofSentence, type Writing } from './proof-sentence.ts';
import {
  createRequestCheck,
  hasBody,
  hasJsonBody,
  placeIn,
  requestExamples,
  requestSchema,
  sampledRequest,
} from './sampled-request.ts';

/** The way of one operation between two neighbours. */
export interface Passage extends Writing {
  /** Of the older version. */
  operation: Operation;
  /** The one of the newer version that does its work. */
  head: Operation;
  bridge: Bridge;
  versions: { older: string; newer: string };
  documents: { older: OpenApiDocument; newer: OpenApiDocument };
  /** Names of properties that differ. */
  names: ReadonlySet<string>;
}

/** Problems of requests on their way up, and of answers on their way down. */
export function operationProofProblems(passage: Passage): string[] {
  return [
    ...requestProblems(passage),
    ...answersOf(passage.head).flatMap((answer) => answerProblems(answer, passage)),
    ...headerProblems(passage),
  ];
}

function requestProblems(passage: Passage): string[] {
  const { operation, head, bridge, versions, names } = passage;
  const problemIn = createRequestCheck(head);
  const found = findCounterexample({
    schema: requestSchema(operation),
    examples: requestExamples(operation, passage.documents.older),
    beside: Object.values(requestSchema(head).properties ?? {}),
    names: new Set([...names, 'params', 'query', 'headers', 'body']),
    problemOf: (sample) => {
      const request = sampledRequest(sample);
      // As at run time: where no body came in, and none was made, none goes out.
      const isBodySent = (body: unknown): boolean =>
        hasJsonBody(head) && (hasBody(sample) || body !== request.body);
      return judged(
        () => bridge.upgradeRequest?.(request) ?? request,
        (upgraded) =>
          problemIn({ ...upgraded, body: asSent(upgraded.body) as Json }, isBodySent(upgraded.body)),
      );
    },
  });
  if (!found) return [];
  const what = `a request of ${versions.older}`;
  const translation = { id: operation.id, part: 'upgradeRequest', what, to: versions.newer } as const;
  return [proofSentence(translation, found, passage)];
}

/** An answer of the newer version with a body of JSON. */
interface ProvedAnswer {
  /** As the document has it: the status, or its range. */
  key: string;
  status: number;
  body: Body;
}

function answersOf({ responses, errorBodies = {}, ranges = {} }: Operation): ProvedAnswer[] {
  const named = Object.entries({ ...responses, ...errorBodies }).map(([key, body]) => ({
    key,
    status: Number(key),
    body,
  }));
  const taken = new Set(named.map(({ status }) => status));
  const ranged = Object.entries(ranges).map(([key, body]) => ({ key, status: statusIn(key, taken), body }));
  return [...named, ...ranged].flatMap(({ body, ...answer }) =>
    body && isJsonType(body.mediaType) ? [{ ...answer, body }] : [],
  );
}

/** A status that only the range speaks of. */
function statusIn(range: string, taken: ReadonlySet<number>): number {
  const first = range === 'default' ? 500 : Number(range[0]) * 100;
  const all = Array.from({ length: 100 }, (_none, index) => first + index);
  return all.find((status) => !taken.has(status)) ?? first;
}

function answerProblems({ key, status, body }: ProvedAnswer, passage: Passage): string[] {
  const { operation, bridge, versions, names } = passage;
  const isError = status >= 400;
  const downgrade = isError ? bridge.downgradeErrorBody : bridge.downgradeResponse;
  const expected = declaredBody(operation, bridge.downgradeStatus?.(status) ?? status);
  // A status or media type that the older version lacks is told without samples.
  if (!expected || !isJsonType(expected.mediaType)) return [];
  const validate = validator(expected.schema);
  const context = contextOf(operation, status);
  const found = findCounterexample({
    schema: body.schema,
    examples: answerExamples(passage, key, body),
    beside: [expected.schema],
    names,
    problemOf: (sample) =>
      judged(
        () => (downgrade ? downgrade(sample as Json, context) : sample),
        (downgraded) => {
          const [finding] = validate(asSent(downgraded));
          return finding ? `its ${finding.instancePath || 'body'} ${finding.message}` : null;
        },
      ),
  });
  if (!found) return [];
  const part = isError ? 'downgradeErrorBody' : 'downgradeResponse';
  const what = `an answer ${status} of ${versions.newer}`;
  return [proofSentence({ id: operation.id, part, what, to: versions.older }, found, passage)];
}

function answerExamples({ head, documents }: Passage, key: string, { mediaType }: Body): unknown[] {
  const { newer } = documents;
  return examplesOf(newer, partAt(newer, ...placeIn(head), 'responses', key, 'content', mediaType));
}

function contextOf(operation: Operation, status: number): ResponseContext {
  return { request: sampledRequest(sampleOf(requestSchema(operation))), status, extras: {} };
}

/** The values of headers are any text: their names are what can be wrong. */
function headerProblems(passage: Passage): string[] {
  const { operation, head, bridge, versions } = passage;
  const { downgradeHeaders } = bridge;
  if (!downgradeHeaders) return [];
  const { answerHeaders: given = [] } = head;
  const value = Object.fromEntries(given.map((name) => [name, '1']));
  const [status = 200] = Object.keys(head.responses).map(Number);
  const verdict = judged(
    () => downgradeHeaders(value, contextOf(operation, status)),
    (headers) => headersProblem(headers, [...given, ...(operation.answerHeaders ?? [])]),
  );
  if (!verdict) return [];
  const what = `the headers of an answer of ${versions.newer}`;
  const translation = { id: operation.id, part: 'downgradeHeaders', what, to: versions.older } as const;
  return [proofSentence(translation, { ...verdict, value }, passage)];
}

function headersProblem(headers: unknown, known: readonly string[]): string | null {
  if (!isPart(headers)) return 'what comes out are no headers by name';
  const stranger = Object.keys(headers).find((name) => !known.includes(name));
  if (stranger !== undefined) return `no version declares the header ${stranger}`;
  const odd = Object.entries(headers).find(([, value]) => typeof value !== 'string');
  return odd ? `the header ${odd[0]} is no text` : null;
}
