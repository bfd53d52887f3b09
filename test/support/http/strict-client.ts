import { type JsonSchema, type OpenApiDocument, validator } from '@dateline/versions';
import { answered } from '../run/answered.ts';
import type { TestService } from '../service/test-service.ts';

type Part = Readonly<Record<string, unknown>>;

/** Headers that mean something to a client; the others are HTTP's own. */
const MEANINGFUL = [
  'retry-after',
  'www-authenticate',
  'service-version',
  'x-request-id',
  'deprecation',
  'sunset',
  'link',
];

export interface StrictCall {
  method: string;
  /** As the document has it. */
  path: string;
  /** As it is asked for. */
  url: string;
  init?: RequestInit;
}

/** A client that takes only what the served document of its version describes, and throws at anything else. */
export async function createStrictClient(service: TestService, version: string) {
  const document: OpenApiDocument = await (
    await service.call('sandbox', `/versions/${version}/openapi.json`)
  ).json();
  const schemas = at(document, 'components', 'schemas');

  return async ({ method, path, url, init = {} }: StrictCall) => {
    const headers = { 'service-version': version, ...(init.headers as Record<string, string>) };
    const response = await service.call('sandbox', url, { ...init, method, headers });
    const what = `${method} ${url} in ${version}: ${response.status}`;
    const described = resolved(
      at(document, 'paths', path, method.toLowerCase(), 'responses', String(response.status)),
    );
    if (!described) throw new Error(`${what} is not described`);
    requireHeaders(response, described, what);
    const text = await response.text();
    const body = requireBody(text, response, described, what);
    return answered({ status: response.status, headers: response.headers, body, described }, what);
  };

  function requireHeaders({ headers }: Response, described: Part, what: string): void {
    const known = Object.keys(at(described, 'headers') ?? {}).map((name) => name.toLowerCase());
    for (const name of MEANINGFUL)
      if (headers.has(name) && !known.includes(name)) throw new Error(`${what}: ${name} is not described`);
  }

  function requireBody(text: string, { headers }: Response, described: Part, what: string): unknown {
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    const content = at(described, 'content', type);
    if (text !== '' && !content) throw new Error(`${what}: ${type} is not described`);
    if (!/json$/.test(type)) return text;
    const body = JSON.parse(text);
    const findings = validator(withDefinitions(at(content, 'schema') ?? {}))(body);
    if (findings.length > 0) throw new Error(`${what}: ${JSON.stringify(findings[0])} in ${text}`);
    return body;
  }

  function resolved(part: Part | undefined): Part | undefined {
    if (typeof part?.$ref !== 'string') return part;
    return at(document, ...part.$ref.slice('#/'.length).split('/'));
  }

  function withDefinitions(schema: Part): JsonSchema {
    const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
      '"#/components/schemas/',
      '"#/$defs/',
    );
    return JSON.parse(text);
  }
}

function at(part: unknown, ...names: readonly string[]): Part | undefined {
  let found: unknown = part;
  for (const name of names) found = (found as Part | undefined)?.[name];
  return found as Part | undefined;
}
