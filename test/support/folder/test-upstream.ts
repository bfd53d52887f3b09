import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ApiError } from '../../../src/errors/api-error.ts';
import type { BufferedAnswer, StreamedAnswer, UpstreamRequest } from '../../../src/upstream/types.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamEvent,
  type UpstreamOptions,
} from '../../../src/upstream/upstream.ts';
import { UpstreamError } from '../../../src/upstream/upstream-error.ts';
import { createTestClock, type TestClock } from '../service/test-clock.ts';

export interface TestUpstream extends Omit<Upstream, 'call'> {
  clock: TestClock;
  events: UpstreamEvent[];
  /** The outcomes of the calls, in order. */
  outcomes(): string[];
  call(request?: Partial<UpstreamRequest>, signal?: AbortSignal): Promise<BufferedAnswer>;
  stream(request?: Partial<UpstreamRequest>, signal?: AbortSignal): Promise<StreamedAnswer>;
  /** The error of a call that must fail. */
  failure(request?: Partial<UpstreamRequest>, signal?: AbortSignal): Promise<UpstreamError>;
}

/** Creates an upstream client for a port of this machine, or for another address; it closes with its test. */
export function startUpstream(to: number | string, options: Partial<UpstreamOptions> = {}): TestUpstream {
  const clock = createTestClock();
  const events: UpstreamEvent[] = [];
  const upstream = createUpstream({
    baseUrl: new URL(typeof to === 'number' ? `http://127.0.0.1:${to}` : to),
    clock,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => upstream.close());
  const send = (request: Partial<UpstreamRequest> = {}, signal: AbortSignal = new AbortController().signal) =>
    upstream.call(
      {
        ...{ operation: 'orders:list', client: 'client-1', method: 'GET', path: '/orders', query: '' },
        ...{ headers: {}, body: null, wantsStream: false },
        ...request,
      },
      signal,
    );
  return {
    ...upstream,
    clock,
    events,
    outcomes: () => events.flatMap((event) => (event.type === 'call_ended' ? [event.outcome] : [])),
    async call(request, signal) {
      const answer = await send(request, signal);
      if ('stream' in answer) throw new Error('the answer is a stream');
      return answer;
    },
    async stream(request, signal) {
      const answer = await send({ wantsStream: true, ...request }, signal);
      if ('body' in answer) throw new Error('the answer is no stream');
      return answer;
    },
    async failure(request, signal) {
      const error: unknown = await send(request, signal).then(
        () => new Error('the call did not fail'),
        (reason: unknown) => reason,
      );
      if (error instanceof UpstreamError) return error;
      throw error;
    },
  };
}

/** The parts of an error that a caller sees. */
export function publicFacts({ status, code, detail, headers, members }: ApiError) {
  return { status, code, detail, headers, members };
}

/** A port of this machine where nobody listens. */
export async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
