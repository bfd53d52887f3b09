import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { ChangePassage, PassageWatch } from '@dateline/versions';
import type { AskBetween } from '../../http/api/forwarding/ask-backend.ts';
import type { UnknownParts } from '../../http/api/forwarding/unknown-parts.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { UpstreamAnswer } from '../../upstream/types.ts';

/** What happened to one call on its way. */
export interface CallTrace {
  passages: PassageTrace[];
  /** Null where nobody was asked: the call was refused, or is one of Dateline's own. */
  asked: AskedTrace | null;
  /** Parts of the request that the contract does not have. */
  unknown: UnknownParts | null;
}

/** A change that the call passed. */
export interface PassageTrace extends Pick<ChangePassage, 'direction' | 'part'> {
  change: string;
  /** As they were then: a change may write into what it is given. */
  before: unknown;
  after: unknown;
  /** Why it has thrown; null if it has not. */
  failure: string | null;
}

/** What was asked in Next, and who answered. */
export interface AskedTrace {
  by: 'upstream' | 'handlers.mjs' | 'mock';
  method: string;
  /** With the base address where it is that of the upstream. */
  target: string;
  query: string;
  sent: TracedBody | null;
  durationMs: number;
  /** Null where there was no answer. */
  status: number | null;
  answered: TracedBody | null;
  failure: string | null;
}

export interface TracedBody {
  mediaType: string;
  /** Undefined where it is a stream. */
  bytes: Uint8Array | undefined;
}

export interface CallTraces {
  /** For the changes. */
  watch: PassageWatch;
  /** Stands before the upstream. With a mock, that answers in its place. */
  between(mock: AskBetween | null): AskBetween;
  onUnknown(operation: string, requestId: string, unknown: UnknownParts): void;
  /** Serves a request, and keeps what happens to it. */
  follow(request: IncomingMessage, serve: () => void): void;
  of(request: IncomingMessage): CallTrace | undefined;
}

export function createCallTraces(): CallTraces {
  const running = new AsyncLocalStorage<CallTrace>();
  const known = new WeakMap<IncomingMessage, CallTrace>();

  return {
    watch(passage, value, translate) {
      const trace = running.getStore();
      return trace ? watched(trace, passage, value, translate) : translate(value);
    },
    between: (mock) => (operation, asking, ask) => {
      const { head, backend, pathFor } = operation;
      const { request, query, content } = asking.ask;
      const handled = backend.handlers[head.id] !== undefined;
      const by = handled ? 'handlers.mjs' : mock ? 'mock' : 'upstream';
      const path = pathFor(request.params, () => true);
      const asked: AskedTrace = {
        ...{ by, method: head.method, query, durationMs: 0, status: null, answered: null, failure: null },
        target: by === 'upstream' ? backend.upstream.origin + path : path,
        sent: content && { mediaType: content.mediaType, bytes: content.stream ? undefined : content.bytes },
      };
      const trace = running.getStore();
      if (trace) trace.asked = asked;
      return timed(asked, () => (by === 'mock' && mock ? mock(operation, asking, ask) : ask()));
    },
    onUnknown(_operation, _requestId, unknown) {
      const trace = running.getStore();
      if (trace) trace.unknown = unknown;
    },
    follow(request, serve) {
      const trace: CallTrace = { passages: [], asked: null, unknown: null };
      known.set(request, trace);
      running.run(trace, serve);
    },
    of: (request) => known.get(request),
  };
}

function watched<Value>(
  trace: CallTrace,
  { change, direction, part }: ChangePassage,
  value: Value,
  translate: (value: Value) => Value,
): Value {
  const before = copyOf(value);
  const passage: PassageTrace = {
    change: change.name,
    direction,
    part,
    before,
    after: before,
    failure: null,
  };
  trace.passages.push(passage);
  try {
    const after = translate(value);
    passage.after = copyOf(after);
    return after;
  } catch (error) {
    passage.failure = errorMessage(error);
    throw error;
  }
}

/** Of data that came as JSON, or will be sent as it. Other bodies are bytes, of which only the length is told. */
function copyOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array)
    return { ...value, bytes: value.bytes.length };
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

async function timed(asked: AskedTrace, ask: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
  const beganAtMs = performance.now();
  try {
    const answer = await ask();
    asked.status = answer.status;
    asked.answered = bodyOf(answer);
    return answer;
  } catch (error) {
    asked.failure = errorMessage(error);
    throw error;
  } finally {
    asked.durationMs = performance.now() - beganAtMs;
  }
}

function bodyOf(answer: UpstreamAnswer): TracedBody | null {
  const bytes = 'stream' in answer ? undefined : answer.body;
  if (bytes?.length === 0) return null;
  return { mediaType: String(answer.headers['content-type'] ?? ''), bytes };
}
