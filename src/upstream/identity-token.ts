import { SignJWT } from 'jose';
import type { Context } from '../environments/environment.ts';
import { unixSeconds } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Signer, SigningKeys } from '../oauth/signing/signing-keys.ts';
import type { ActiveToken } from '../oauth/types.ts';

export interface IdentityTokensOptions {
  keys: SigningKeys;
  /** The value that the upstream looks for in `aud`. */
  audience: string;
  /** The number that is held to be used again. */
  heldMax?: number;
}

/** Tells the upstream who asks, in the place of the caller's own token, which never leaves us. */
export type IdentityTokens = (context: Context, token: ActiveToken) => Promise<string>;

const ALGORITHM = 'ES256';
const VALID_SECONDS = 60;
/** So that half of its time is left when it is used for the last time. */
const REUSED_MS = 30_000;

/**
 * JWTs as access tokens of the upstream (RFC 9068). One is used again only for exactly the same claims while the same keys are stored,
 * since signing is what costs. Which those are is read from the database every time: with the caller's token, or else by itself. It says
 * nothing about whether the token is alive: who calls this has just checked that.
 */
export function createIdentityTokens(options: IdentityTokensOptions): IdentityTokens {
  const { keys, audience, heldMax = 10_000 } = options;
  const signerOf = sharedInOneTurn((context) => keys.signer(context, ALGORITHM));
  const held = new Map<string, Held>();

  return async (context, token) => {
    const now = context.clock.now();
    const known = token.signingKeys && held.get(nameOf(context, token.signingKeys, token));
    if (known && isFresh(known, now)) return known.jwt;
    const signer = await signerOf(context);
    return signedBy(signer, context, token);
  };

  function signedBy(signer: Signer, context: Context, token: ActiveToken): Promise<string> {
    const name = nameOf(context, token.signingKeys ?? signer.keyId, token);
    const issuedAt = context.clock.now();
    const known = held.get(name);
    if (known?.keyId === signer.keyId && isFresh(known, issuedAt)) return known.jwt;
    const jwt = sign(signer, identityClaims(context, token, audience), issuedAt);
    hold(name, { jwt, keyId: signer.keyId, issuedAtMs: issuedAt.getTime(), until: signer.until });
    // What could not be signed is not held.
    jwt.catch(() => held.delete(name));
    return jwt;
  }

  /** Tokens live equally long, so those that were made first are the first to go. */
  function hold(name: string, one: Held): void {
    held.delete(name);
    held.set(name, one);
    const [oldest] = held.keys();
    if (held.size > heldMax && oldest !== undefined) held.delete(oldest);
  }
}

interface Held {
  jwt: Promise<string>;
  keyId: string;
  issuedAtMs: number;
  /** Another key signs from then on. */
  until: Date;
}

function isFresh({ issuedAtMs, until }: Held, now: Date): boolean {
  const ageMs = now.getTime() - issuedAtMs;
  return ageMs >= 0 && ageMs < REUSED_MS && now < until;
}

/** The same for tokens that say the same, under the same keys. No part holds a line break. */
function nameOf(context: Context, keys: string, token: ActiveToken): string {
  const { subject, clientId, scopes, organizationIds } = token;
  return `${context.name}\n${context.issuer}\n${keys}\n${subject.type}\n${subject.id}\n${clientId}\n${scopes.join(' ')}\n${organizationIds.join(' ')}`;
}

type Claims = Readonly<Record<string, string | readonly string[]>>;

/** The claims about the caller. */
export function identityClaims({ issuer }: Context, token: ActiveToken, audience: string): Claims {
  return {
    iss: issuer,
    aud: audience,
    sub: token.subject.id,
    sub_type: token.subject.type,
    client_id: token.clientId,
    scope: token.scopes.join(' '),
    organizations: token.organizationIds,
  };
}

function sign({ keyId, privateKey }: Signer, claims: Claims, issuedAt: Date): Promise<string> {
  const iat = unixSeconds(issuedAt);
  return new SignJWT({ ...claims, jti: newId('itk', issuedAt), iat, exp: iat + VALID_SECONDS })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: keyId })
    .sign(privateKey);
}

/**
 * Calls that arrive in the same turn share one reading, which begins after all of them. None joins one that has begun: it
 * may have been read before a key was withdrawn.
 */
function sharedInOneTurn<Result>(
  read: (context: Context) => Promise<Result>,
): (context: Context) => Promise<Result> {
  const gathering = new WeakMap<Context, Promise<Result>>();
  return (context) => {
    const joined = gathering.get(context) ?? nextTurn().then(() => begin(context));
    gathering.set(context, joined);
    return joined;
  };

  function begin(context: Context): Promise<Result> {
    gathering.delete(context);
    return read(context);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
