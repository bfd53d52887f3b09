import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonType } from '@dateline/versions';
import { requestContext } from '../../http/edge/request-context.ts';
import type { CallTrace, PassageTrace, TracedBody } from './call-trace.ts';
import { differencesBetween, type ValueDifference } from './differences-between.ts';
import { queryWithoutSecrets, withoutSecrets, withoutSecretTexts } from './hide-secrets.ts';

/** A call as people read it: no secret is in it. */
export interface CallFacts {
  method: string;
  /** The address without its query; the pattern of it where that is not an address of the folder. */
  path: string;
  status: number;
  durationMs: number;
  version: string;
  /** What the version is to the calendar at the moment. */
  standing: 'Deprecated' | 'Current' | 'Next';
  operation: string | null;
  clientId: string | null;
  /** The code of the error, and what only operators may know about it. */
  error: string | null;
  internal: string | null;
  up: ChangeFacts[];
  asked: AskedFacts | null;
  down: ChangeFacts[];
  /** Names of parts that the contract does not have, which are not forwarded. */
  notForwarded: string[];
}

/** What a change did; no differences where it left all as it was. */
export interface ChangeFacts {
  change: string;
  part: PassageTrace['part'];
  differences: ValueDifference[];
  failure: string | null;
}

export interface AskedFacts {
  by: string;
  method: string;
  target: string;
  body: unknown;
  status: number | null;
  answer: unknown;
  failure: string | null;
  durationMs: number;
}

/** Tells a call that has ended. One that came to no app has no trace. */
export function callFacts(
  request: IncomingMessage,
  response: ServerResponse,
  trace: CallTrace | undefined,
): CallFacts {
  const { startedAtMs, version, lifecycle, route, use, error, internal } = requestContext(request);
  const passages = trace?.passages ?? [];
  // The mock reads it.
  const ofMock = trace?.asked?.by === 'mock' ? 'prefer' : null;
  const path = trace?.asked || route === 'unmatched' ? pathIn(request) : route;
  return {
    method: request.method ?? '',
    path: withoutSecretTexts(path),
    status: response.writableFinished ? response.statusCode : 499,
    durationMs: performance.now() - startedAtMs,
    version,
    standing:
      version === lifecycle.current ? 'Current' : version === lifecycle.deprecated ? 'Deprecated' : 'Next',
    operation: use?.operation ?? null,
    clientId: use?.clientId ?? null,
    error: error ?? null,
    internal: internal === undefined ? null : withoutSecretTexts(internal),
    up: passages.filter(({ direction }) => direction === 'up').map(changeFacts),
    asked: askedFacts(trace),
    down: passages.filter(({ direction }) => direction === 'down').map(changeFacts),
    notForwarded: [
      ...(trace?.unknown?.query ?? []).map((name) => `query ${withoutSecretTexts(name)}`),
      ...(trace?.unknown?.headers ?? [])
        .filter((name) => name !== ofMock)
        .map((name) => `header ${withoutSecretTexts(name)}`),
    ],
  };
}

function pathIn({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function changeFacts({ change, part, before, after, failure }: PassageTrace): ChangeFacts {
  const root = part === 'request' ? '' : part === 'error' ? 'body' : part;
  const differences = differencesBetween(root, withoutSecrets(before), withoutSecrets(after));
  return { change, part, differences, failure: failure === null ? null : withoutSecretTexts(failure) };
}

function askedFacts(trace: CallTrace | undefined): AskedFacts | null {
  if (!trace?.asked) return null;
  const { by, method, target, query, sent, status, answered, failure, durationMs } = trace.asked;
  return {
    by,
    method,
    target: withoutSecretTexts(target) + (query === '' ? '' : `?${queryWithoutSecrets(query)}`),
    body: sent && shownBody(sent),
    status,
    answer: answered && shownBody(answered),
    failure: failure === null ? null : withoutSecretTexts(failure),
    durationMs,
  };
}

/** JSON is shown as it is, all else by its type and length: what is in it is not known. */
function shownBody({ mediaType, bytes }: TracedBody): unknown {
  const [type = ''] = mediaType.split(';', 1);
  if (bytes === undefined) return `(a stream of ${type})`;
  const value = isJsonType(type.trim().toLowerCase()) ? jsonOf(bytes) : undefined;
  return value === undefined ? `(${bytes.length} bytes of ${type || 'no type'})` : withoutSecrets(value);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
