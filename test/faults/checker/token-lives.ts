import type { Operation } from '../clients/history.ts';

/** A token as its client was given it. */
export interface TokenLife {
  /** The request that it came with. */
  beganMs: number;
  endedMs: number;
  grant: string;
  user: string | null;
}

/** Something that ends access, acknowledged or not. */
export interface Ending {
  beganMs: number;
  /** Null where nobody knows whether it happened. */
  acknowledgedMs: number | null;
  /** What was issued to the user before is ended, and nothing else. */
  onlyEarlier: boolean;
}

export interface TokenLives {
  lives: ReadonlyMap<string, TokenLife>;
  /** All that may have ended a token. */
  endingsOf(token: string): readonly Ending[];
  /** The same for a grant as a whole. */
  endingsOfGrant(grant: string, user: string | null): readonly Ending[];
}

/** Reads out of a history which tokens there were, and what ended them. */
export function tokenLivesIn(operations: readonly Operation[]): TokenLives {
  const lives = new Map<string, TokenLife>();
  const endings = new Map<string, Ending[]>();
  const live = (
    token: string | undefined,
    operation: Operation,
    grant: string,
    user: string | null,
  ): void => {
    const { beganMs, endedMs } = operation;
    // A repetition gives the same tokens once more.
    if (token === undefined || endedMs === null || lives.has(token)) return;
    lives.set(token, { beganMs, endedMs, grant, user });
  };
  const end = (key: string, operation: Operation, onlyEarlier = false): void => {
    const acknowledgedMs = operation.result === 'done' ? operation.endedMs : null;
    const known = endings.get(key) ?? [];
    known.push({ beganMs: operation.beganMs, acknowledgedMs, onlyEarlier });
    endings.set(key, known);
  };
  for (const operation of operations) {
    switch (operation.what) {
      case 'issue':
        live(operation.token, operation, operation.token ?? '', null);
        break;
      case 'exchange':
      case 'refresh':
        live(operation.access, operation, operation.grant, operation.user);
        live(operation.refresh, operation, operation.grant, operation.user);
        if (operation.what === 'refresh') end(`token ${operation.from}`, operation);
        break;
      case 'revoke':
        end(operation.grant === null ? `token ${operation.token}` : `grant ${operation.grant}`, operation);
        break;
      case 'revoke in bulk':
        end(`user ${operation.user}`, operation, true);
    }
  }
  const under = (...keys: readonly string[]): Ending[] => keys.flatMap((key) => endings.get(key) ?? []);
  return {
    lives,
    endingsOf(token) {
      const life = lives.get(token);
      return under(`token ${token}`, `grant ${life?.grant}`, `user ${life?.user}`);
    },
    endingsOfGrant: (grant, user) => under(`grant ${grant}`, `user ${user}`),
  };
}

/** True if this has ended the token for whoever asks from a moment on. */
export function isOver(life: TokenLife, ending: Ending, fromMs: number): boolean {
  if (ending.acknowledgedMs === null || ending.acknowledgedMs >= fromMs) return false;
  return !ending.onlyEarlier || life.endedMs < ending.beganMs;
}
