import type { FastifyRequest } from 'fastify';
import { ApiError, quotableName } from '../../errors/api-error.ts';
import type { App } from './create-app.ts';
import { decodeUtf8, requireBodyType } from './read-body.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Lets an app read form bodies; the contract decides which of its operations take one. */
export function takeForms(app: App): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    requireBodyType(request, FORM);
    return readForm(body);
  });
}

/**
 * The fields of an `application/x-www-form-urlencoded` body. A field without a value counts as omitted, and none may be
 * repeated (RFC 6749 §3.2).
 */
function readForm(body: Buffer): Record<string, string> {
  // Without a prototype, so that a field may have any name.
  const fields: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  for (const pair of decodeUtf8(body).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (seen.has(name)) throw malformed(`${quotableName(name, 'A field')} is given more than once.`);
    seen.add(name);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (value.includes('\0')) throw malformed(`${quotableName(name, 'A field')} holds a NUL character.`);
    if (value !== '') fields[name] = value;
  }
  return fields;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  // Our tokens and secrets contain nothing that needs decoding.
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformed('The body has a percent-encoding that is not UTF-8.');
  }
}

function malformed(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}
