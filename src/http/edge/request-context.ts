import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { ApiVersion, Selection } from '@dateline/versions';
import { createRandomPool, randomBase62 } from '../../kernel/base62.ts';
import type { OAuthClientId } from '../../oauth/types.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import type { Span } from '../../tracing/span.ts';
import type { Use } from '../../usage/types.ts';

/** Facts about a request for its log line, its metrics and its usage. */
export interface RequestContext {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The version that processes the request; Current where the requested one was rejected. */
  readonly version: ApiVersion;
  /** The request named its version. */
  readonly pinned: boolean;
  /** The state of versions when the request arrived; a release meanwhile does not change it. */
  readonly lifecycle: Lifecycle;
  /**
   * Headers of every answer. The writer of the answer passes them in one call: Node writes headers much faster all at
   * once than one by one.
   */
  readonly headers: AnswerHeaders;
  /** For the log, where requests are traced. */
  readonly traceId?: string | undefined;
  /** Present where this request is traced. */
  readonly span?: Span | undefined;
  /** The pattern that matched, such as `/v1/products/:id`. Never the address itself, which may contain a secret. */
  route: string;
  /** The usage record; absent if the request is not counted (see `beginUse`). */
  use?: Use;
  /** The client that the request named, before it is authenticated. */
  namedClient?: string;
  /** The operator key of a request to the operator API. */
  operatorKeyId?: string;
  /** The code of the error that was answered, whatever its shape makes of it. */
  error?: string;
  /** For the log only. */
  internal?: string;
  /**
   * When its answer has to begin. Absent until its body has arrived, since how long that takes depends on the caller; and from
   * when a stream is handed to the framework, which sends the headers with the first byte.
   */
  deadline?: Deadline | undefined;
}

export type AnswerHeaders = Readonly<Record<string, string>>;

export interface Deadline {
  readonly atMs: number;
  refuse(): void;
}

// A property is read many times for each request; a WeakMap costs more each time, and again when garbage is collected.
const CONTEXT = Symbol('request context');

type Received = IncomingMessage & { [CONTEXT]?: RequestContext };

export function setRequestContext(request: Received, context: RequestContext): void {
  request[CONTEXT] = context;
}

export function requestContext(request: Received): RequestContext {
  const context = request[CONTEXT];
  if (!context) throw new Error('this request did not come through the edge');
  return context;
}

// What counts as usage: requests that an app of a version takes, and requests whose version is rejected, on any path.
// The edge counts them when they end; until then each step records what it learns.

/** An app of a version takes the request. */
export function beginUse(context: RequestContext): void {
  const { version, pinned } = context;
  context.use = { choice: pinned ? 'pinned' : 'defaulted', version, operation: null, clientId: null };
}

export function nameOperation({ use }: RequestContext, operation: string | null): void {
  if (use) use.operation = operation;
}

/** Called by whatever authenticates a client. */
export function nameClient({ use }: RequestContext, clientId: OAuthClientId): void {
  if (use) use.clientId = clientId;
}

/** The version is rejected, before any authentication. */
export function rejectedUse(
  { reason, requested }: Extract<Selection, { served: false }>,
  current: ApiVersion,
): Use {
  const version = reason === 'malformed' ? null : worthKeeping(requested, current);
  return { choice: `rejected_${reason}`, version, operation: null, clientId: null };
}

const YEARS_AROUND = 10;

/** A caller can send any year. Only those around today's are counted by name, so that strangers cannot fill the table. */
function worthKeeping(requested: string, current: ApiVersion): string | null {
  const yearOf = (text: string): number => Number(text.slice(0, 4));
  return Math.abs(yearOf(requested) - yearOf(current)) <= YEARS_AROUND ? requested : null;
}

/** The path alone, without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? url : url.slice(0, queryAt);
}

export interface RequestIds {
  /** For a request that could not be parsed. */
  fresh(): string;
  of(request: IncomingMessage): string;
}

/** Gives every request an id of ours; a trusted proxy's id is kept, so that both logs can be matched. */
export function createRequestIds(trustedProxies: readonly string[]): RequestIds {
  const isTrusted = trustIn(trustedProxies);
  const drawBytes = createRandomPool();
  const fresh = (): string => `req_${randomBase62(22, drawBytes)}`;
  return {
    fresh,
    of(request) {
      const sent = request.headers['x-request-id'];
      const usable = typeof sent === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(sent);
      return usable && isTrusted(request.socket.remoteAddress) ? sent : fresh();
    },
  };
}

/** Returns a function that is true for the addresses of trusted proxies, whose forwarding headers are believed. */
export function trustIn(trustedProxies: readonly string[]): (address: string | undefined) => boolean {
  const trusted = toBlockList(trustedProxies);
  return (address) => isListed(trusted, address);
}

function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false;
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
