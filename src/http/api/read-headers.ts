import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonSchema } from '@dateline/versions';
import { propertiesOf } from './schema-properties.ts';

export type HeaderReader = (sent: IncomingHttpHeaders) => Json;

/**
 * Reads the headers of one operation, named as its contract names them. Node joins repeated ones with a comma
 * and a space: where a header allows no spaces, a repeated one is malformed.
 */
export function createHeaderReader(schema: JsonSchema | undefined): HeaderReader {
  if (schema === undefined) return () => NOTHING;
  const known = propertiesOf(schema).map(([name]) => [name, name.toLowerCase()] as const);
  return (sent) =>
    Object.fromEntries(
      known.flatMap(([name, sentName]) => (sent[sentName] === undefined ? [] : [[name, sent[sentName]]])),
    );
}

const NOTHING: Json = {};
