import type { Body, OtherBody } from '../contract/contract.ts';
import { below, type Location, namedBelow } from '../openapi/openapi-reading.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { readFieldStyles } from './read-styles.ts';

/** A body by its media types: JSON is the main one where it is among them. Null where there is none. */
export function readContent(reader: OpenApiReader, content: Location): Body | null {
  refuseRepeated(reader, content);
  const bodies = namedBelow(content).flatMap(([name, location]) => readMediaType(reader, name, location));
  const [main, ...others] = bodies.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
  if (main === undefined) return null;
  return { ...main, schema: main.schema ?? {}, ...(others.length > 0 ? { others } : {}) };
}

/** The media type that a name in a document stands for. */
export function mediaTypeOf(name: string): string {
  return name.toLowerCase().replace(/\s*;\s*charset=utf-8$/, '');
}

/** True for one type, without parameters: no range of them. */
export function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text);
}

export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[^;]+\+)?json$/.test(mediaType);
}

/** With a charset and without it, in capitals or not, it is the same. */
function refuseRepeated({ reading }: OpenApiReader, content: Location): void {
  const known = new Set<string>();
  for (const [name, location] of namedBelow(content)) {
    if (known.has(mediaTypeOf(name))) reading.refuse(location, 'this media type stands there already');
    known.add(mediaTypeOf(name));
  }
}

function readMediaType(reader: OpenApiReader, name: string, location: Location): OtherBody[] {
  const { reading, schemas } = reader;
  const mediaType = mediaTypeOf(name);
  if (!isMediaType(mediaType)) {
    reading.refuse(location, 'name one media type, without parameters, such as application/json');
    return [];
  }
  const found = reading.find(location, 'mediaType');
  if (found === null) return [];
  const fields = readFieldStyles(reading, mediaType, below(found, 'encoding'));
  const schema = below(found, 'schema');
  // What is not JSON need not have one: its bytes are passed on.
  if (schema.value === undefined) return [{ mediaType, schema: isJsonType(mediaType) ? {} : null }];
  return [{ mediaType, schema: schemas.whole(schemas.part(schema)), ...(fields && { fields }) }];
}

/** Which one is the main one must not depend on the order in which they are written. */
function rankOf({ mediaType }: OtherBody): string {
  const usual = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const rank = mediaType !== 'application/json' && isJsonType(mediaType) ? 0.5 : usual.indexOf(mediaType);
  return `${rank === -1 ? usual.length : rank} ${mediaType}`;
}
