import type { Security } from '../contract/contract.ts';
import {
  below,
  type Found,
  itemsBelow,
  type Location,
  namedBelow,
  type OpenApiReading,
} from '../openapi/openapi-reading.ts';
import { isPart, isTexts } from '../openapi/plain-data.ts';
import type { OpenApiReader } from './openapi-reader.ts';

/** The security of an operation: its own, else that of the document. Null where that is refused. */
export function readSecurity(
  { reading }: OpenApiReader,
  operation: Found,
  remedy = 'say security: [] if anyone may call',
): Security | null {
  const own = below(operation, 'security');
  const stated = own.value === undefined ? below(reading.root, 'security') : own;
  if (stated.value === undefined) return reading.refuse(own, `it is missing; ${remedy}`);
  return readRequirements(reading, stated);
}

function readRequirements(reading: OpenApiReading, stated: Location): Security | null {
  const [only, ...others] = itemsBelow(stated);
  if (!Array.isArray(stated.value) || others.length > 0)
    return reading.refuse(stated, 'it must be a list of one requirement at most; there are no alternatives');
  if (only === undefined) return { scheme: 'none' };
  const [scheme, ...beside] = namedBelow(only);
  if (!isPart(only.value) || beside.length > 0)
    return reading.refuse(only, 'it must be an object with one scheme');
  return scheme === undefined ? { scheme: 'none' } : readScheme(reading, scheme);
}

function readScheme(reading: OpenApiReading, [name, location]: readonly [string, Location]): Security | null {
  const declared = below(reading.root, 'components', 'securitySchemes', name);
  if (declared.value === undefined)
    return reading.refuse(location, `components has no security scheme ${name}`);
  const scheme = reading.find(declared, 'securityScheme');
  if (scheme === null) return null;
  if (!meansToken(scheme))
    return reading.refuse(
      scheme,
      'it must be of type oauth2 or openIdConnect, or http with the scheme bearer',
    );
  return isScopes(location.value)
    ? { scheme: 'bearer', scopes: [...new Set(location.value)].sort() }
    : reading.refuse(location, 'it must be a list of scopes');
}

function meansToken({ value: { type, scheme } }: Found): boolean {
  if (type === 'http') return typeof scheme === 'string' && scheme.toLowerCase() === 'bearer';
  return type === 'oauth2' || type === 'openIdConnect';
}

/** RFC 6749 §3.3 */
export function isScopes(value: unknown): value is string[] {
  return isTexts(value) && value.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}
