import { parse } from 'node:querystring';
import { ApiError, quotableName } from '../../errors/api-error.ts';
import { hasTooManyPairs, PAIRS_MAX } from '../../kernel/url.ts';
import type { App } from './create-app.ts';
import { decodeUtf8, requireBodyType } from './read-body.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Lets an app read form bodies; the contract decides which of its operations take one. */
export function takeForms(app: App): void {
  app.addContentTypeParser<Buffer>(FORM, { parseAs: 'buffer' }, (request, body, done) => {
    requireBodyType(request, FORM);
    done(null, readForm(body));
  });
}

/**
 * The fields of an `application/x-www-form-urlencoded` body. A field without a value counts as omitted, and none may be
 * repeated (RFC 6749 §3.2).
 */
function readForm(body: Buffer): Record<string, string> {
  const text = decodeUtf8(body);
  if (hasTooManyPairs(text)) throw malformed(`There are more than ${PAIRS_MAX} fields.`);
  requireUtf8Encoding(text);
  const fields = parse(text, '&', '=', { maxKeys: 0 });
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'string')
      throw malformed(`${quotableName(name, 'A field')} is given more than once.`);
    if (value.includes('\0')) throw malformed(`${quotableName(name, 'A field')} contains a NUL character.`);
    if (value === '') delete fields[name];
  }
  // What is left are texts.
  return fields as Record<string, string>;
}

/** Node would take other encodings as Latin-1. Our tokens and secrets contain nothing that needs one. */
function requireUtf8Encoding(text: string): void {
  if (!text.includes('%')) return;
  try {
    decodeURIComponent(text);
  } catch {
    throw malformed('The body has a percent-encoding that is not UTF-8.');
  }
}

function malformed(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}
