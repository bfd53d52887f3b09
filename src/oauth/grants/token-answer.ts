import type { Scope } from '../scopes/scopes.ts';

/** The answer of the token endpoint. */
export interface TokenAnswer {
  accessTokenValue: string;
  expiresInSeconds: number;
  scopes: readonly Scope[];
  refreshTokenValue?: string;
  /** OpenID Connect: who signed in, when and for whom. */
  idTokenValue?: string;
}

export function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
}
