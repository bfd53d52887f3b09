import { createHash } from 'node:crypto';
import { isPart, type OpenApiDocument } from '../openapi/plain-data.ts';

/** The parts of a frozen version that may be mended: words for people, and where it is served. */
const PROSE = new Set(['description', 'summary', 'examples', 'example', 'servers', 'title']);

/**
 * The contract without its prose, keys sorted: two documents that promise the same have the same canonical form.
 * A property or a schema that is called `description` is no prose: all names are kept.
 */
export function canonicalForm(document: OpenApiDocument): string {
  return JSON.stringify(canonical(document, 'keywords'));
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
  // Those of ordinary OpenAPI: our own documents have none of them, or have lists there.
  'schemas',
  'parameters',
  'requestBodies',
  'headers',
  'links',
  'callbacks',
  'pathItems',
  'encoding',
  'mapping',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
]);

const DATA_BELOW = new Set(['const', 'enum', 'default']);

/** The kind of keys that a value has: of a list, those of its items. */
type Keys = 'keywords' | 'names' | 'data';

function canonical(value: unknown, keys: Keys): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, keys));
  if (!isPart(value)) return value;
  const kept = Object.keys(value).filter((key) => keys !== 'keywords' || !PROSE.has(key));
  const entries = kept.sort().map((key) => [key, canonical(value[key], keysBelow(keys, key, value[key]))]);
  return Object.fromEntries(entries);
}

function keysBelow(keys: Keys, key: string, value: unknown): Keys {
  if (keys === 'data') return 'data';
  if (keys === 'names') return 'keywords';
  if (DATA_BELOW.has(key)) return 'data';
  // The requirements of a list have the names of schemes; other lists hold objects of the specification.
  if (key === 'security') return 'names';
  return NAMES_BELOW.has(key) && !Array.isArray(value) ? 'names' : 'keywords';
}
