import { type Context, secretPrefix } from '../../environments/environment.ts';
import { newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import { newId } from '../../kernel/ids.ts';
import type { Grant, Token, TokenKind } from '../types.ts';
import { insertToken } from './store.ts';

/** The parts of a grant that its tokens inherit. */
export type GrantTerms = Pick<Grant, 'id' | 'scopes' | 'expiresAt'>;

export interface IssuedToken {
  token: Token;
  /** Shown now and never again: only its digest is stored. */
  tokenValue: string;
}

export async function issueAccessToken(context: Context, grant: GrantTerms): Promise<IssuedToken> {
  return issueToken(context, grant, 'access_token');
}

export async function issueRefreshToken(context: Context, grant: GrantTerms): Promise<IssuedToken> {
  return issueToken(context, grant, 'refresh_token');
}

/** `exp` and `iat` are whole seconds, so a token expires on a whole second too. */
export function wholeSeconds(from: Date, seconds: number): Date {
  return new Date((Math.floor(from.getTime() / 1000) + seconds) * 1000);
}

async function issueToken(context: Context, grant: GrantTerms, kind: TokenKind): Promise<IssuedToken> {
  const { token, tokenValue, digest } = newToken(context, grant, kind);
  return { token: await insertToken(context.session, token, digest), tokenValue };
}

export interface NewToken extends IssuedToken {
  digest: Buffer;
}

/** A token that is yet to be stored. */
export function newToken(context: Context, grant: GrantTerms, kind: TokenKind): NewToken {
  const now = context.clock.now();
  const { accessTokenSeconds, refreshTokenIdleSeconds } = context.lifetimes;
  const endOfLifetime = wholeSeconds(
    now,
    kind === 'access_token' ? accessTokenSeconds : refreshTokenIdleSeconds,
  );
  const token: Token = {
    id: newId('tok', now),
    kind,
    grantId: grant.id,
    scopes: grant.scopes,
    issuedAt: now,
    expiresAt: endOfLifetime < grant.expiresAt ? endOfLifetime : grant.expiresAt,
  };
  const tokenValue = newCheckedSecret(secretPrefix(context.name, kind === 'access_token' ? 'at' : 'rt'));
  return { token, tokenValue, digest: digestOf(tokenValue) };
}
