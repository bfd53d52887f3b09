import { createHash } from 'node:crypto';
import type { OpenApiDocument } from './openapi.ts';

/** What may be mended in a frozen version: words for people, and where it is served. */
const PROSE = new Set(['description', 'summary', 'examples', 'example', 'servers', 'title']);

/**
 * The contract without its prose, keys sorted: two documents that promise the same have the same canonical form.
 * A property that is called `description` is no prose: all property names are kept.
 */
export function canonicalForm(document: OpenApiDocument): string {
  return JSON.stringify(canonical(document, false));
}

export function contractHash(document: OpenApiDocument): string {
  return createHash('sha256').update(canonicalForm(document)).digest('hex');
}

// The keys below these are names from the contract, not keywords of the specification.
const NAMES_BELOW = new Set([
  'properties',
  'paths',
  'webhooks',
  'responses',
  'content',
  'securitySchemes',
  'patternProperties',
]);

function canonical(value: unknown, keysAreNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>)
    .filter(([key]) => keysAreNames || !PROSE.has(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => [key, canonical(item, !keysAreNames && NAMES_BELOW.has(key))] as const);
  return Object.fromEntries(entries);
}
