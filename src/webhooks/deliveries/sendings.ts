import type { SecretBox } from '../../secrets/secret-box.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import { secretPurpose } from '../endpoints/endpoint-secrets.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import { type ConclusionOptions, createConclusion } from './conclude-attempt.ts';
import type { Lanes } from './lanes.ts';
import type { DueEvent, SealedSecret } from './store.ts';
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
  let isCutOff = false;
  const running = new Set<Promise<void>>();

  /** One attempt and all that follows from it. Never rejects. */
  async function send(event: DueEvent): Promise<void> {
    let failed = true;
    try {
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
