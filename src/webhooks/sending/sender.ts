import { isLocalhost } from '../../kernel/addresses.ts';
import { remembered } from '../../kernel/remembered.ts';
import type { Connection } from '../../outbound/connection.ts';
import { type Cut, createCut } from '../../outbound/cut.ts';
import { createKeptConnections } from '../../outbound/kept-connections.ts';
import { nextInput } from '../../outbound/next-input.ts';
import { createUnderWay } from '../../outbound/under-way.ts';
import { connectToReceiver, type Dial, dialTcp } from './connection.ts';
import { type Delivery, type ExchangeOptions, exchange } from './exchange.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { type Answer, type Outcome, SendingError } from './outcome.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';
import {
  type CheckedTarget,
  checkTarget,
  isAllowedAddress,
  publicOnly,
  type TargetRules,
} from './target-rules.ts';

export interface SenderOptions {
  rules: TargetRules;
  lookup?: Lookup;
  dial?: Dial;
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca?: string;
  /** From the first question to a name server to the end of the answer. */
  deadlineMs?: number;
  answerBytesMax?: number;
  /** Connections that wait for another delivery, to all receivers together. */
  keptConnectionsMax?: number;
}

export interface Sender {
  /** Makes one attempt. Everything the receiver does is an outcome; rejects only if the delivery itself cannot be sent. */
  send(delivery: Delivery): Promise<Outcome>;
  /** Stops the attempts that are being made, and makes no more. */
  stop(): void;
  /** The same, and ends all connections. */
  close(): void;
}

/** Targets whose check is remembered: the same few are sent to all the time. */
const TARGETS_MAX = 10_000;

export function createSender({
  rules,
  lookup = createLookup(),
  dial = dialTcp,
  ca,
  deadlineMs = 15_000,
  answerBytesMax = 65_536,
  keptConnectionsMax = 1_024,
}: SenderOptions): Sender {
  const kept = createKeptConnections(keptConnectionsMax);
  const underWay = createUnderWay<Cut>();
  let isStopped = false;
  const alsoHere = allowedBy({ ports: rules.ports, loopback: true });
  const elsewhere = allowedBy(publicOnly(rules));

  async function send(delivery: Delivery): Promise<Outcome> {
    const watch = startStopwatch();
    const limit = startLimit(deadlineMs);
    const begun = underWay.begin(limit.cut);
    try {
      return outcomeOf(await attempt(delivery, watch, limit.cut), watch);
    } catch (error) {
      return outcomeOf(withoutAnswer(error), watch);
    } finally {
      limit.end();
      begun.end();
    }
  }

  async function attempt(delivery: Delivery, watch: Stopwatch, cut: Cut): Promise<Answer> {
    if (isStopped) throw new SendingError('stopped');
    // Asked at every attempt: it ends when a proxy is seen.
    const allowed = rules.loopback && !delivery.publicOnly ? alsoHere : elsewhere;
    const target = allowed.check(delivery.url);
    if ('problem' in target) throw new SendingError('address_not_allowed');
    const { url } = target;
    const addresses =
      target.address === null ? await resolve(url.hostname, allowed.rules, cut) : [target.address];
    watch.end('lookup');
    return sendTo(addresses, allowed.rules, { delivery, url, answerBytesMax, watch, cut });
  }

  /** An address in a URL was checked with it; one that a name leads to is checked at every attempt. */
  async function resolve(name: string, allowed: TargetRules, cut: Cut): Promise<readonly string[]> {
    const addresses = isLocalhost(name) ? LOOPBACK : await unlessCut(cut, lookUp(name));
    if (addresses.length === 0) throw new SendingError('dns');
    // One private address among them refuses them all: a mix of both is an attack.
    if (!addresses.every((address) => isAllowedAddress(address, allowed)))
      throw new SendingError('address_not_allowed');
    return addresses;
  }

  function lookUp(name: string): Promise<readonly string[]> {
    return lookup(name).catch((error: unknown) => {
      throw new SendingError('dns', error);
    });
  }

  async function sendTo(
    addresses: readonly string[],
    allowed: TargetRules,
    options: ExchangeOptions,
  ): Promise<Answer> {
    const { url, watch, cut } = options;
    // Where the name led earlier does not count.
    const waiting = kept.take(url.origin, ({ address }) => addresses.includes(address));
    if (waiting) {
      // Receivers may close a connection right after their last answer. That has to be known before it is used again.
      await nextInput();
      const answer = await sendOn(waiting, options);
      if (answer) return answer;
    }
    const fresh = await connectToReceiver({ url, addresses, rules: allowed, dial, ca, cut });
    watch.end('connect');
    return (await sendOn(fresh, options)) ?? withoutAnswer(new SendingError('connection_reset'));
  }

  async function sendOn(connection: Connection, options: ExchangeOptions): Promise<Answer | null> {
    let isKept = false;
    try {
      const answer = await exchange(connection, options);
      isKept = answer !== null && !isStopped;
      return answer;
    } finally {
      if (isKept) kept.keep(connection);
      else connection.socket.destroy();
    }
  }

  function stop(): void {
    isStopped = true;
    for (const { item } of underWay.all()) item.make(new SendingError('stopped'));
  }

  function close(): void {
    stop();
    kept.close();
  }

  return { send, stop, close };
}

interface Allowed {
  rules: TargetRules;
  check(url: string): CheckedTarget;
}

function allowedBy(rules: TargetRules): Allowed {
  return { rules, check: remembered(TARGETS_MAX, (url) => checkTarget(url, rules)) };
}

const LOOPBACK = ['127.0.0.1', '::1'];

function withoutAnswer(error: unknown): Answer {
  if (!(error instanceof SendingError)) throw error;
  return { status: null, answerText: null, retryAfter: null, answerHeaders: null, error: error.errorClass };
}

function outcomeOf(answer: Answer, watch: Stopwatch): Outcome {
  const { status, answerText, retryAfter, answerHeaders, error } = answer;
  if (status !== null) watch.end('read');
  const durationMs = watch.totalMs();
  return { status, answerText, retryAfter, answerHeaders, error, durationMs, stageTimes: watch.times() };
}

/** Ends an attempt at its deadline. */
function startLimit(deadlineMs: number): { cut: Cut; end(): void } {
  const cut = createCut();
  const timer = setTimeout(() => cut.make(new SendingError('timeout')), deadlineMs);
  return { cut, end: () => clearTimeout(timer) };
}

function unlessCut<Value>(cut: Cut, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    cut.listen(reject);
    work.then(resolve, reject);
  });
}
