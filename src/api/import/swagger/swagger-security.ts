import { isPart, type Part } from '../../document/parts.ts';
import { belowPlace } from '../document-tree.ts';
import type { SourcePlace } from '../import-notes.ts';
import type { SwaggerReader } from './swagger-reader.ts';

/** A security scheme. */
export function securitySchemeOf(reader: SwaggerReader, place: SourcePlace): unknown {
  const value = reader.tree.valueAt(place);
  if (!isPart(value)) return value;
  return reader.made(schemeOf3(reader, value, place), place);
}

function schemeOf3(reader: SwaggerReader, scheme: Part, place: SourcePlace): Part {
  if (scheme.type === 'basic') {
    const { type: _type, ...others } = scheme;
    reader.notes.add('changed', belowPlace(place, 'type'), 'OpenAPI 3 calls it http with the scheme basic');
    return { type: 'http', scheme: 'basic', ...others };
  }
  if (scheme.type !== 'oauth2') return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, ...others } = scheme;
  reader.notes.add('changed', belowPlace(place, 'flow'), 'OpenAPI 3 has the flows of OAuth in flows');
  const urls = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
  };
  return { ...others, flows: { [flowOf3(flow)]: { ...urls, scopes: isPart(scopes) ? scopes : {} } } };
}

const FLOWS: ReadonlyMap<unknown, string> = new Map([
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
  ['password', 'password'],
]);

const flowOf3 = (flow: unknown): string => FLOWS.get(flow) ?? 'implicit';
