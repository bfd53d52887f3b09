import { urlOf } from '../../../kernel/url.ts';
import type { ClientKind, GrantType, OAuthClient } from '../../types.ts';

/** The kind of a client and what it may do. */
export type ClientTerms = Pick<
  OAuthClient,
  'kind' | 'allowedGrants' | 'scopes' | 'redirectUris' | 'audiences' | 'requiresPkce'
>;

/** The most that a client may give itself, as an operator has set it. A field that is missing is not limited. */
export type ClientLimits = Partial<
  Pick<OAuthClient, 'name' | 'scopes' | 'allowedGrants' | 'redirectUris' | 'requiresPkce'>
>;

export interface TermsProblem {
  about: keyof ClientTerms;
  message: string;
}

/** Returns the first problem of a client's terms; null if there is none. */
export function problemOf(terms: ClientTerms): TermsProblem | null {
  const broken = rules.find((rule) => rule.isBroken(terms));
  if (broken) return { about: broken.about, message: broken.message };
  return redirectUrisProblem(terms) ?? audiencesProblem(terms);
}

/** The grants of a client that names none. */
export function usualGrants(kind: ClientKind, redirectUris: readonly string[]): readonly GrantType[] {
  if (kind === 'resource_server') return [];
  const forUsers: GrantType[] =
    redirectUris.length > 0 || kind === 'public' ? ['authorization_code', 'refresh_token'] : [];
  return kind === 'public' ? forUsers : [...forUsers, 'client_credentials'];
}

interface Rule extends TermsProblem {
  isBroken(terms: ClientTerms): boolean;
}

const rules: readonly Rule[] = [
  {
    about: 'allowedGrants',
    message: 'A public client has no secret, so it cannot use client_credentials.',
    isBroken: ({ kind, allowedGrants }) => kind === 'public' && allowedGrants.includes('client_credentials'),
  },
  {
    about: 'allowedGrants',
    message: 'refresh_token needs authorization_code: refresh tokens come with a code.',
    isBroken: ({ allowedGrants }) =>
      allowedGrants.includes('refresh_token') && !allowedGrants.includes('authorization_code'),
  },
  {
    about: 'redirectUris',
    message: 'authorization_code needs a redirect URI.',
    isBroken: ({ allowedGrants, redirectUris }) =>
      allowedGrants.includes('authorization_code') && redirectUris.length === 0,
  },
  {
    about: 'requiresPkce',
    message: 'A public client has no secret, so PKCE is required of it.',
    isBroken: ({ kind, requiresPkce }) => kind === 'public' && !requiresPkce,
  },
  {
    about: 'audiences',
    message: 'A resource server needs an audience.',
    isBroken: ({ kind, audiences }) => kind === 'resource_server' && audiences.length === 0,
  },
  {
    about: 'audiences',
    message: 'Only a resource server has audiences.',
    isBroken: ({ kind, audiences }) => kind !== 'resource_server' && audiences.length > 0,
  },
];

function redirectUrisProblem({ kind, redirectUris }: ClientTerms): TermsProblem | null {
  for (const [index, uri] of redirectUris.entries()) {
    const problem = redirectUriProblem(uri, kind);
    if (problem) return { about: 'redirectUris', message: `Redirect URI ${index + 1} ${problem}.` };
  }
  return null;
}

function audiencesProblem({ audiences }: ClientTerms): TermsProblem | null {
  const wrong = audiences.findIndex((audience) => !isAudience(audience));
  if (wrong < 0) return null;
  const message = `Audience ${wrong + 1} must be an absolute URI without a fragment, or a name of letters, digits, and . _ ~ -`;
  return { about: 'audiences', message };
}

/** A name, or a URI that RFC 8707 §2 allows as `resource`. */
function isAudience(audience: string): boolean {
  if (/^[A-Za-z0-9][A-Za-z0-9._~-]*$/.test(audience)) return true;
  return /^[!-~]+$/.test(audience) && !audience.includes('#') && urlOf(audience) !== null;
}

// RFC 3986 §2, less the fragment's # and the asterisk, which have messages of their own.
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Why a URI cannot be registered as a redirect URI, as the end of a sentence; null if it can. Requests must name
 * it exactly, character by character, so whatever could mean more than one address is rejected.
 */
export function redirectUriProblem(uri: string, kind: ClientKind): string | null {
  if (uri.includes('*')) return 'must not hold a wildcard';
  // RFC 6749 §3.1.2
  if (uri.includes('#')) return 'must not have a fragment';
  if (!URI_CHARACTERS.test(uri)) return 'has characters that are not allowed in a URI';
  const url = urlOf(uri);
  if (!url) return 'must be absolute';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  return schemeProblem(uri, url, kind);
}

function schemeProblem(uri: string, url: URL, kind: ClientKind): string | null {
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // URL parsers accept more for http and https than the exact comparison of redirect URIs does.
  if (isWeb && !/^https?:\/\/[^/?]/i.test(uri)) return 'must be absolute';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:')
    return LOOPBACK.includes(url.hostname) ? null : 'must be https; http is for loopback addresses only';
  // RFC 8252 §7.1: a scheme that is a reversed domain name has an owner.
  if (!url.protocol.includes('.'))
    return 'must be https, http on loopback, or a private-use scheme with a dot in its name';
  return kind === 'public' ? null : 'may have a private-use scheme only for a public client';
}
