import type { Environment } from '../../environments/environment.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import { secretPurpose } from '../endpoints/endpoint-secrets.ts';
import type { EndpointId, EventId } from '../types.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import { type ConclusionOptions, createConclusion } from './conclude-attempt.ts';
import type { Lanes } from './lanes.ts';
import { type DueEvent, findPending, type SealedSecret } from './store.ts';
import { type AttemptTracing, traceAttempt } from './trace-attempt.ts';

/** The events that are being sent at the moment. */
export interface Sendings {
  begin(events: readonly DueEvent[]): void;
  /** Lets them end within the limit, then cuts off the rest. */
  end(limitMs: number): Promise<void>;
}

export interface SendingOptions extends ConclusionOptions, Omit<AttemptParts, 'context' | 'openSecret'> {
  box: SecretBox;
  /** None: attempts are not traced. */
  tracing?: AttemptTracing | null;
  /** Errors outside of any attempt, such as an unreachable database. */
  onError(error: unknown): void;
}

/** For an endpoint whose delivery fails on our side, such as for a key that this process does not have. */
const FAULT_PAUSE_MS = 10_000;

export function createSendings(
  options: SendingOptions,
  { lanes, onEnd }: { lanes: Lanes; onEnd(): void },
): Sendings {
  const parts = { ...options, context: options.environment, openSecret: createSecretOpener(options.box) };
  const { tracing = null } = options;
  const conclude = createConclusion(options);
  const isDurable = inOrder(createDurableCheck(options.environment));
  let isCutOff = false;
  const running = new Set<Promise<void>>();

  /** One attempt and all that follows from it. Never rejects. */
  async function send(event: DueEvent): Promise<void> {
    let failed = true;
    try {
      if (event.tries === 0 && !(await isDurable(event))) {
        failed = false;
        return;
      }
      const attempted = await traceAttempt(tracing, event, () => attempt(parts, event));
      failed = attempted !== null && attempted.result.state !== 'delivered';
      if (!attempted) return;
      if (attempted.pauseMs > 0) pause(event, attempted.pauseMs);
      await conclude(attempted, () => isCutOff);
    } catch (error) {
      options.onError(error);
      // Nothing was stored, so it is due at once: not here, where the same would happen again.
      if (!(error instanceof StorageUnavailableError)) pause(event, FAULT_PAUSE_MS);
    } finally {
      lanes.finished(event, { failed }, performance.now());
      onEnd();
    }
  }

  function cutOff(): void {
    isCutOff = true;
    options.sender.stop();
  }

  function pause({ endpointId }: DueEvent, ms: number): void {
    lanes.pause(endpointId, performance.now() + ms);
  }

  return {
    begin(events) {
      for (const event of events) {
        const sending = send(event).finally(() => running.delete(sending));
        running.add(sending);
      }
    },
    async end(limitMs) {
      const cutting = setTimeout(cutOff, limitMs);
      await Promise.allSettled(running);
      clearTimeout(cutting);
      cutOff();
    },
  };
}

// One commit is enough for any number.
const CHECKED_AT_ONCE_MAX = 1_000;

/**
 * Nobody is told of what a failover may still undo, or has undone since the event was read; and where it announces an end of access,
 * no node reads otherwise any more.
 */
function createDurableCheck({ database, transaction, untilReadersSee }: Environment) {
  const check = batchQueries<EventId, boolean>(database, {
    kind: 'writes',
    async run(ids) {
      const pending = await transaction(({ session }) => findPending(session, ids), { waitsLater: true });
      return ids.map((id) => pending.has(id));
    },
    sizeMax: CHECKED_AT_ONCE_MAX,
  });
  return async (id: EventId): Promise<boolean> => {
    const isPending = await check(id);
    await untilReadersSee();
    return isPending;
  };
}

/**
 * Answers in the order of an endpoint's events, whichever of them is answered first. One that could not be asked about is picked again,
 * and must come before those behind it: they are not answered either.
 */
function inOrder(check: (id: EventId) => Promise<boolean>): (event: DueEvent) => Promise<boolean> {
  const lastOf = new Map<EndpointId, Promise<boolean>>();
  return ({ id, endpointId }) => {
    const answer = Promise.all([check(id), lastOf.get(endpointId)]).then(([isPending]) => isPending);
    lastOf.set(endpointId, answer);
    const forget = (): void => {
      if (lastOf.get(endpointId) === answer) lastOf.delete(endpointId);
    };
    answer.then(forget, forget);
    return answer;
  };
}

const OPENED_MAX = 10_000;

/** Opens secrets, and remembers what it has opened: to derive their keys costs more than to sign. */
function createSecretOpener(box: SecretBox): (secret: SealedSecret) => string {
  const opened = new Map<string, string>();
  return ({ id, sealed }) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const secret = box.unseal(secretPurpose(id), Buffer.from(sealed, 'hex'));
    if (opened.size >= OPENED_MAX) opened.clear();
    opened.set(sealed, secret);
    return secret;
  };
}
