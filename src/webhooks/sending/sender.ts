import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { addressIn, isLocalhost } from '../../kernel/addresses.ts';
import { type Connection, type Dial, dialTcp, openConnection } from './connection.ts';
import { type Delivery, type ExchangeOptions, exchange } from './exchange.ts';
import { createKeptConnections } from './kept-connections.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { type Answer, type Outcome, SendingError } from './outcome.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';
import { checkTarget, isAllowedAddress, publicOnly, type TargetRules } from './target-rules.ts';

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
  send(delivery: Delivery, signal?: AbortSignal): Promise<Outcome>;
  /** Ends all connections, and stops the attempts that are still being made. */
  close(): void;
}

export function createSender({
  rules: allRules,
  lookup = createLookup(),
  dial = dialTcp,
  ca,
  deadlineMs = 15_000,
  answerBytesMax = 65_536,
  keptConnectionsMax = 256,
}: SenderOptions): Sender {
  const kept = createKeptConnections(keptConnectionsMax);
  const closing = new AbortController();

  async function send(delivery: Delivery, signal?: AbortSignal): Promise<Outcome> {
    const watch = startStopwatch();
    const limit = startLimit(deadlineMs, [closing.signal, ...(signal ? [signal] : [])]);
    const answer = await attempt(delivery, watch, limit.signal)
      .catch(withoutAnswer)
      .finally(() => limit.end());
    if (answer.status !== null) watch.end('read');
    return { ...answer, durationMs: watch.totalMs(), stageTimes: watch.times() };
  }

  async function attempt(delivery: Delivery, watch: Stopwatch, signal: AbortSignal): Promise<Answer> {
    const rules = delivery.publicOnly ? publicOnly(allRules) : allRules;
    const target = checkTarget(delivery.url, rules);
    if ('problem' in target) throw new SendingError('address_not_allowed');
    const { url } = target;
    const addresses = await unlessAborted(signal, addressesOf(url));
    watch.end('lookup');
    if (addresses.length === 0) throw new SendingError('dns');
    // One private address among them refuses them all: a mix of both is an attack.
    if (!addresses.every((address) => isAllowedAddress(address, rules)))
      throw new SendingError('address_not_allowed');
    return sendTo(addresses, rules, { delivery, url, answerBytesMax, watch, signal });
  }

  async function addressesOf(url: URL): Promise<readonly string[]> {
    const address = addressIn(url.hostname);
    if (address !== null) return [address];
    if (isLocalhost(url.hostname)) return LOOPBACK;
    return lookup(url.hostname).catch((error: unknown) => {
      throw new SendingError('dns', error);
    });
  }

  async function sendTo(
    addresses: readonly string[],
    rules: TargetRules,
    options: ExchangeOptions,
  ): Promise<Answer> {
    const { url, watch, signal } = options;
    const waiting = kept.take(url.origin, addresses);
    if (waiting) {
      await hearTheOtherSide();
      const answer = await sendOn(waiting, options);
      if (answer) return answer;
    }
    const fresh = await openConnection({ url, addresses, rules, dial, ca, signal });
    watch.end('connect');
    return (await sendOn(fresh, options)) ?? withoutAnswer(new SendingError('connection_reset'));
  }

  async function sendOn(connection: Connection, options: ExchangeOptions): Promise<Answer | null> {
    let isKept = false;
    try {
      const answer = await exchange(connection, options);
      isKept = answer !== null && isUsable(connection) && !closing.signal.aborted;
      return answer;
    } finally {
      if (isKept) kept.keep(connection);
      else connection.socket.destroy();
    }
  }

  function close(): void {
    closing.abort();
    kept.close();
  }

  return { send, close };
}

const LOOPBACK = ['127.0.0.1', '::1'];

function withoutAnswer(error: unknown): Answer {
  if (!(error instanceof SendingError)) throw error;
  return { status: null, answerText: null, retryAfter: null, answerHeaders: null, error: error.errorClass };
}

/** A receiver may answer before it has read everything; what it has not read would stand before the next delivery. */
function isUsable({ socket }: Connection): boolean {
  return !socket.destroyed && socket.writableLength === 0;
}

/**
 * Receivers may close a connection right after their last answer. That has to be read before the connection is
 * used again: input is read once in every turn of the event loop, and the second of these is in the next turn.
 */
async function hearTheOtherSide(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** A signal for the deadline and for all that may stop an attempt before it; its reason says which it was. */
function startLimit(deadlineMs: number, stopSignals: readonly AbortSignal[]) {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new SendingError('stopped'));
  const timer = setTimeout(() => controller.abort(new SendingError('timeout')), deadlineMs);
  // Many attempts at the same time listen to them.
  setMaxListeners(0, ...stopSignals);
  for (const signal of stopSignals) signal.addEventListener('abort', stop);
  if (stopSignals.some(({ aborted }) => aborted)) stop();
  return {
    signal: controller.signal,
    end(): void {
      clearTimeout(timer);
      for (const signal of stopSignals) signal.removeEventListener('abort', stop);
    },
  };
}

async function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
