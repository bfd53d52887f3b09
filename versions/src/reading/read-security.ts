import type { Security } from '../contract/contract.ts';
import { below, type Found, itemsBelow, type Location, namedBelow } from '../openapi/openapi-reading.ts';
import { isPart, isTexts } from '../openapi/plain-data.ts';
import type { OpenApiReader } from './openapi-reader.ts';

/**
 * The security of an operation or a webhook: its own, else that of the document. Without either, and where one of the
 * alternatives asks for nothing, anyone may use it (OpenAPI §4.8.10). Null where it is refused.
 */
export function readSecurity(reader: OpenApiReader, operation: Found, name: string | null): Security | null {
  const own = below(operation, 'security');
  const stated = own.value === undefined ? below(reader.reading.root, 'security') : own;
  const alternatives = readAlternatives(reader, stated);
  if (alternatives === null) return null;
  const [first, ...others] = smallest(alternatives.filter((scopes) => scopes !== OPEN));
  const isOpen = first === undefined || alternatives.includes(OPEN);
  if (isOpen && name !== null && !isMarked(reader, name)) reader.unmarked.push(name);
  if (first === undefined) return { scheme: 'none' };
  return {
    scheme: 'bearer',
    scopes: first,
    ...(others.length > 0 ? { or: others } : {}),
    ...(isOpen ? { optional: true } : {}),
  };
}

/** An alternative without any scheme. */
const OPEN = null;

type Alternative = readonly string[] | typeof OPEN;

function isMarked({ options: { open = '*' } }: OpenApiReader, name: string): boolean {
  return open === '*' || open.includes(name);
}

function readAlternatives(reader: OpenApiReader, stated: Location): readonly Alternative[] | null {
  if (stated.value === undefined) return [];
  if (!Array.isArray(stated.value)) return reader.reading.refuse(stated, 'it must be a list of requirements');
  const found = itemsBelow(stated).map((requirement) => readRequirement(reader, requirement));
  return found.every((alternative) => alternative !== undefined) ? found : null;
}

/** The scopes of all schemes of a requirement; undefined where it is refused. */
function readRequirement(reader: OpenApiReader, requirement: Location): Alternative | undefined {
  if (!isPart(requirement.value)) {
    reader.reading.refuse(requirement, 'it must be an object with schemes');
    return undefined;
  }
  const schemes = namedBelow(requirement).map((scheme) => readScheme(reader, scheme));
  if (schemes.length === 0) return OPEN;
  if (!schemes.every((scopes) => scopes !== null)) return undefined;
  return [...new Set(schemes.flat())].sort();
}

function readScheme(
  { reading, options }: OpenApiReader,
  [name, location]: readonly [string, Location],
): readonly string[] | null {
  const declared = below(reading.root, 'components', 'securitySchemes', name);
  if (declared.value === undefined)
    return reading.refuse(location, `components has no security scheme ${name}`);
  const scheme = reading.find(declared, 'securityScheme');
  if (scheme === null) return null;
  const given = options.schemes && Object.hasOwn(options.schemes, name) ? options.schemes[name] : undefined;
  if (!isTexts(location.value)) return reading.refuse(location, 'it must be a list of scopes');
  // Others may name roles, which are no scopes.
  if (!meansToken(scheme)) return given ?? reading.refuse(scheme, noToken(name, options.remedies));
  return isScopes(location.value)
    ? [...location.value, ...(given ?? [])]
    : reading.refuse(location, 'it must be a list of scopes');
}

function noToken(name: string, remedies: OpenApiReader['options']['remedies']): string {
  const remedy = remedies?.scheme(name) ?? 'say which scopes stand for it';
  return `it is neither oauth2 nor openIdConnect, nor http with the scheme bearer, and callers bring a token: ${remedy}`;
}

function meansToken({ value: { type, scheme } }: Found): boolean {
  if (type === 'http') return typeof scheme === 'string' && scheme.toLowerCase() === 'bearer';
  return type === 'oauth2' || type === 'openIdConnect';
}

/** The alternatives that need nothing beyond another one, in an order that does not depend on the document's. */
function smallest(alternatives: readonly (readonly string[])[]): (readonly string[])[] {
  const sorted = alternatives.toSorted((one, other) => (one.join(' ') < other.join(' ') ? -1 : 1));
  const byLength = sorted.toSorted((one, other) => one.length - other.length);
  return byLength.filter(
    (scopes, index) =>
      !byLength.slice(0, index).some((enough) => enough.every((scope) => scopes.includes(scope))),
  );
}

/** RFC 6749 §3.3 */
export function isScopes(value: unknown): value is string[] {
  return isTexts(value) && value.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}
