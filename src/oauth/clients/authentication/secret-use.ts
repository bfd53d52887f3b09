import type { Context } from '../../../environments/environment.ts';
import { hexOf } from '../../../kernel/digest.ts';
import { repeat } from '../../../kernel/repeat.ts';
import { noteSecretUse } from './store.ts';

/** Called with the digest of a secret that was used. Costs one map look-up, and never waits. */
export type NoteUse = (secretDigest: Uint8Array) => void;

export interface SecretUse {
  note: NoteUse;
  /** Stores what was collected. What cannot be stored stays for the next time. */
  flush(): Promise<void>;
  /** Stores the rest, and stops collecting. */
  stop(): Promise<void>;
}

export interface SecretUseOptions {
  context: Pick<Context, 'clock' | 'session'>;
  onError(error: unknown): void;
}

interface Use {
  digest: Uint8Array;
  at: Date;
}

/** A use is stored again after this long. */
const NOTED_FOR_MS = 60_000;
const WRITE_EVERY_MS = 1_000;

/**
 * Collects when secrets were last used, and stores it within a second, all secrets in one statement and each at most once
 * a minute: a request never waits for it, and a busy client causes few writes.
 */
export function createSecretUse({ context: { clock, session }, onError }: SecretUseOptions): SecretUse {
  /** By digest; an entry stays until its minute is over. */
  const noted = new Map<string, Date>();
  let gathered = new Map<string, Use>();
  let lastWrite: Promise<void> = Promise.resolve();
  let stopped = false;

  /** Writes never overlap. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write);
    return lastWrite;
  }

  async function write(): Promise<void> {
    if (gathered.size === 0) return;
    const uses = gathered;
    gathered = new Map();
    forgetOld(noted, clock.now());
    try {
      await noteSecretUse(session, [...uses.values()]);
    } catch (error) {
      gathered = new Map([...uses, ...gathered]);
      onError(error);
    }
  }

  const stopWriting = repeat(flush, { everyMs: WRITE_EVERY_MS, onError });
  return {
    note(digest) {
      const at = clock.now();
      const key = hexOf(digest);
      const last = noted.get(key);
      if (stopped || (last && at.getTime() < last.getTime() + NOTED_FOR_MS)) return;
      noted.set(key, at);
      gathered.set(key, { digest, at });
    },
    flush,
    async stop() {
      stopped = true;
      await stopWriting();
      await flush();
    },
  };
}

function forgetOld(noted: Map<string, Date>, now: Date): void {
  for (const [key, at] of noted) if (now.getTime() >= at.getTime() + NOTED_FOR_MS) noted.delete(key);
}
