import type { Scene } from '../../environments/environment.ts';
import { noteSecretUse } from './store.ts';

/** Told the digest of a secret that was used. Costs a look into a map, and never waits. */
export type NoteUse = (secretDigest: Uint8Array) => void;

export interface SecretUse {
  note: NoteUse;
  /** Writes down what is gathered. What cannot be written stays for the next time. */
  flush(): Promise<void>;
  /** Writes down the rest; nothing is gathered from then on. */
  stop(): Promise<void>;
}

export interface SecretUseOptions {
  scene: Pick<Scene, 'clock' | 'session'>;
  onTrouble(error: unknown): void;
}

interface Use {
  digest: Uint8Array;
  at: Date;
}

/** A use is worth telling again after this long. */
const NOTED_FOR_MS = 60_000;
const GATHERED_FOR_MS = 1_000;

/**
 * Gathers when secrets were last used, and writes it down a second later, all secrets in one statement and each of them
 * once a minute at most: so a request never waits for it, and a busy client causes no writes to speak of.
 */
export function createSecretUse({ scene: { clock, session }, onTrouble }: SecretUseOptions): SecretUse {
  /** By digest; what is written stays until its minute is over. */
  const noted = new Map<string, Date>();
  let gathered = new Map<string, Use>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  function writeLater(): void {
    if (stopped) return;
    timer ??= setTimeout(() => void flush(), GATHERED_FOR_MS).unref();
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const uses = gathered;
    gathered = new Map();
    forgetOld(noted, clock.now());
    if (uses.size === 0) return;
    try {
      await noteSecretUse(session, [...uses.values()]);
    } catch (error) {
      gathered = new Map([...uses, ...gathered]);
      onTrouble(error);
      writeLater();
    }
  }

  return {
    note(digest) {
      const at = clock.now();
      const key = Buffer.from(digest).toString('hex');
      const last = noted.get(key);
      if (stopped || (last && at.getTime() < last.getTime() + NOTED_FOR_MS)) return;
      noted.set(key, at);
      gathered.set(key, { digest, at });
      writeLater();
    },
    flush,
    stop() {
      stopped = true;
      return flush();
    },
  };
}

function forgetOld(noted: Map<string, Date>, now: Date): void {
  for (const [key, at] of noted) if (now.getTime() >= at.getTime() + NOTED_FOR_MS) noted.delete(key);
}
