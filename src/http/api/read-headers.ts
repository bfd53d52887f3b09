import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonSchema } from '@dateline/versions';

/**
 * The headers that an operation knows, named as its contract names them. Node joins repeated ones with a comma and a
 * space: where a header takes no spaces, two of them are malformed.
 */
export function readHeaders(sent: IncomingHttpHeaders, schema: JsonSchema | undefined): Json {
  const names = Object.keys((schema?.properties ?? {}) as object);
  const known = names.map((name) => [name, sent[name.toLowerCase()]] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}
