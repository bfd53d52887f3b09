import { toUSVString } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { asError } from '../../kernel/error-facts.ts';
import { decodeUtf8, requireBodyType } from './read-body.ts';

const JSON_TYPE = 'application/json';

/** Lets an app read JSON bodies, more strictly than the framework does by itself. */
export function takeJson(app: FastifyInstance): void {
  // Refuses keys such as __proto__.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireBodyType(request, JSON_TYPE);
      if (body.length === 0) return done(null, withoutBody(request));
      const text = decodeUtf8(body);
      void parse(request, text, (error, value) => (error ? done(error) : finish(value, text, done)));
    } catch (error) {
      done(asError(error));
    }
  });
}

type Done = (error: Error | null, body?: unknown) => void;

/** Catches what `wellFormed` throws: the framework's parser would replace it with an error of its own. */
function finish(value: unknown, text: string, done: Done): void {
  let body: unknown;
  try {
    body = wellFormed(value, text);
  } catch (error) {
    return done(asError(error));
  }
  done(null, body);
}

/** Many clients name a type for every request, also where there is nothing to send. */
function withoutBody({ routeOptions: { config, schema } }: FastifyRequest): undefined {
  if (config.bodyNeeded ?? schema?.body !== undefined)
    throw new ApiError('invalid_request', { detail: 'The body is empty; JSON is expected.' });
  return undefined;
}

/**
 * The same value with U+FFFD for every half of a surrogate pair, which JSON can write (`"\ud800"`) and no database or address can
 * hold. Without such an escape in its text there is none, and nothing is copied.
 */
export function wellFormed(value: unknown, text: string): unknown {
  try {
    if (/\\u[dD]/.test(text)) return replaced(value);
    walk(value);
    return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('invalid_request', { detail: 'The body is nested too deeply.' });
  }
}

/** Whatever cannot be walked through here could not be later, either. */
function walk(value: unknown): void {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(replaced);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [toUSVString(name), replaced(item)]));
}
