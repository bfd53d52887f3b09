import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Body, isJsonType, type Operation, validator } from '@dateline/versions';
import { samplesOf } from './samples-of.ts';

/** An answer that the upstream gave. */
export interface GivenAnswer {
  operation: Operation;
  status: number;
  /** True where it is outside of the contract. */
  isOutside: boolean;
}

export interface SamplingUpstream {
  url: string;
  server: Server;
  /** The last answer, taken once: null where no call came since. */
  take(): GivenAnswer | null;
}

/** One answer of so many is outside of its contract. */
const OUTSIDE = 10;

/** An upstream that answers operations with samples. */
export async function startSamplingUpstream(operations: readonly Operation[]): Promise<SamplingUpstream> {
  const find = operationFinder(operations);
  let last: GivenAnswer | null = null;
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const operation = find(String(request.method), String(request.url).split('?')[0] ?? '');
      if (!operation) {
        response.writeHead(404).end();
        return;
      }
      count += 1;
      last = answer(operation, response, count);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    take() {
      const given = last;
      last = null;
      return given;
    },
  };
}

function answer(operation: Operation, response: ServerResponse, count: number): GivenAnswer {
  const answers = answersOf(operation);
  const [status, body] = answers[count % answers.length] ?? [200, null];
  const wrong = count % OUTSIDE === 0 ? outsideOf(body) : undefined;
  if (count % OUTSIDE === 0 && wrong === undefined) {
    response.writeHead(UNDECLARED, { 'content-type': 'text/plain' }).end('outside');
    return { operation, status: UNDECLARED, isOutside: true };
  }
  const headers = body === null ? {} : { 'content-type': body.mediaType };
  response.writeHead(status, { ...headers, 'x-next': 'n', 'x-undeclared': 'u' });
  response.end(wrong ?? textOf(body, count));
  return { operation, status, isOutside: wrong !== undefined };
}

/** No document of ours has it. */
const UNDECLARED = 299;

function answersOf({ responses, errorBodies = {}, ranges = {} }: Operation): [number, Body | null][] {
  const named = Object.entries({ ...responses, ...errorBodies }).map(
    ([status, body]) => [Number(status), body] as [number, Body | null],
  );
  const ranged = Object.entries(ranges).map(
    ([range, body]) => [range === 'default' ? 500 : Number(range[0]) * 100, body] as [number, Body | null],
  );
  const sampled = [...named, ...ranged].filter(([status, body]) => isSendable(status, body));
  return sampled;
}

/** 1xx are no answers, and without a sample there is nothing to send. */
function isSendable(status: number, body: Body | null): boolean {
  return status >= 200 && (body === null || !isJsonType(body.mediaType) || samplesOf(body.schema).length > 0);
}

function textOf(body: Body | null, count: number): string | undefined {
  if (body === null) return undefined;
  if (!isJsonType(body.mediaType)) return 'any';
  const samples = samplesOf(body.schema);
  return JSON.stringify(samples[count % samples.length]);
}

/** JSON that the schema refuses; undefined where it refuses none of ours. */
function outsideOf(body: Body | null): string | undefined {
  if (body === null || !isJsonType(body.mediaType)) return undefined;
  const validate = validator(body.schema);
  const wrong = ['text', 7, null, [7], { data: 7 }, {}].find((value) => validate(value).length > 0);
  return wrong === undefined ? undefined : JSON.stringify(wrong);
}

/** As the service routes: named segments before parameters. */
function operationFinder(
  operations: readonly Operation[],
): (method: string, path: string) => Operation | undefined {
  const known = operations.map((operation) => {
    const pattern = operation.path
      .split(/\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+');
    return {
      operation,
      pattern: new RegExp(`^${pattern}$`),
      fixed: operation.path.replace(/\{[^}]*\}/g, '').length,
    };
  });
  const specificFirst = known.toSorted((one, other) => other.fixed - one.fixed);
  return (method, path) =>
    specificFirst.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
      ?.operation;
}
