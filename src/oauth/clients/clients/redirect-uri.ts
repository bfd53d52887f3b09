import { urlOf } from '../../../kernel/url.ts';
import type { ClientKind } from '../../types.ts';

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
