export interface IssuedToken {
  access_token: string;
  expires_in: number;
}

export interface AccessTokens {
  get(): Promise<string>;
  /** This one was refused: the next call gets another. */
  forget(token: string): void;
}

/** A token this close to its end may be dead when it arrives. */
const MARGIN_MS = 30_000;

/** Tokens got by the client credentials: kept while they are good, and got once however many calls wait for it. */
export function createAccessTokens(issue: () => Promise<IssuedToken>): AccessTokens {
  let kept: { token: string; goodUntilMs: number } | null = null;
  let underWay: Promise<string> | null = null;

  async function renew(): Promise<string> {
    const askedAtMs = Date.now();
    const { access_token: token, expires_in: seconds } = await issue();
    // Of a very short life, half is left to use.
    const marginMs = Math.min(MARGIN_MS, (seconds * 1000) / 2);
    kept = { token, goodUntilMs: askedAtMs + seconds * 1000 - marginMs };
    return token;
  }

  return {
    async get() {
      if (kept && Date.now() < kept.goodUntilMs) return kept.token;
      underWay ??= renew().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    forget(token) {
      if (kept?.token === token) kept = null;
    },
  };
}
