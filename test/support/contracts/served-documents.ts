import { type ApiVersion, compileApi, type JsonSchema, type OpenApiDocument } from '@dateline/versions';
import { withEnum } from '../../../src/api/document/describe-schema.ts';
import { servedDocument } from '../../../src/api/document/served-document.ts';
import { apiSource } from '../../../src/contracts/api.ts';
import { subjectsOf } from '../../../src/contracts/prose/index.ts';
import { withoutReferences } from '../../../src/http/site/reference/openapi-parts.ts';
import { current, deprecated, next } from '../service/build-versions.ts';

export type Part = Readonly<Record<string, unknown>>;
type Parts = Readonly<Record<string, Part>>;

const api = compileApi(apiSource());
const states = { [deprecated]: 'deprecated', [current]: 'current', [next]: 'next' } as const;

export const contractOf = (version: ApiVersion): OpenApiDocument =>
  api.get(version)?.document as OpenApiDocument;

/** The document of a maintained version, as an environment serves it. */
export function documentOf(version: ApiVersion, issuer = 'https://auth.example.com'): OpenApiDocument {
  const served = servedDocument({
    document: contractOf(version),
    subjects: subjectsOf(version),
    issuer,
    state: states[version] as (typeof states)[string],
    supported: Object.keys(states),
    current,
  });
  return JSON.parse(JSON.stringify(served));
}

export interface ServedOperation extends Part {
  id: string;
  method: string;
  path: string;
  description: string;
  parameters: readonly ServedParameter[];
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, ServedResponse>>;
  security: readonly Readonly<Record<string, unknown>>[];
}

export interface ServedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: unknown;
}

export interface ServedResponse {
  description: string;
  headers?: Readonly<Record<string, { description: string }>>;
  content?: Readonly<Record<string, Content>>;
}

export interface Content {
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

/** The operations of a document, with references resolved. */
export function operationsIn(document: OpenApiDocument): ServedOperation[] {
  return Object.entries(withoutReferences(document).paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => !method.startsWith('x-'))
      .map(([method, operation]) => {
        const { operationId: id, ...rest } = operation;
        return { ...rest, id, method: method.toUpperCase(), path } as unknown as ServedOperation;
      }),
  );
}

/** The same of its webhooks. */
export function webhooksIn(document: OpenApiDocument): ServedOperation[] {
  return Object.entries(document.webhooks as Parts).map(
    ([id, { post }]) => ({ ...(post as Part), id }) as unknown as ServedOperation,
  );
}

/** A served document without the parts that the service adds to every contract. */
export function withoutOverlay(document: OpenApiDocument): OpenApiDocument {
  const { servers: _servers, tags: _tags, ...rest } = document;
  const { version } = document.info as { version: string };
  const { paths, components } = withoutReferences(withoutVersionErrors(document)) as unknown as Record<
    string,
    Part
  >;
  return {
    ...rest,
    info: { version },
    paths: Object.fromEntries(
      Object.entries(paths as Readonly<Record<string, Parts>>).map(([path, item]) => {
        const { 'x-contract-path': contractPath = path, ...operations } = item;
        return [contractPath, mapped(operations, operationWithoutOverlay)];
      }),
    ),
    webhooks: mapped(document.webhooks as Parts, ({ post }) => {
      const { operationId: _id, tags: _tags, security: _none, parameters: _headers, ...own } = post as Part;
      return { post: own };
    }),
    components: { securitySchemes: components?.securitySchemes },
  };
}

function operationWithoutOverlay(operation: Part): Part {
  const { 'x-scopes': scopes, security, ...rest } = operation;
  const [version, ...parameters] = operation.parameters as ServedParameter[];
  if (version?.name !== 'Service-Version') throw new Error('an operation does not take its version');
  const responses = Object.entries(operation.responses as Parts).filter(
    ([, { 'x-error-codes': codes }]) => !Array.isArray(codes) || codes.length > 0,
  );
  return {
    ...rest,
    security: scopes ? [{ bearer: scopes }] : security,
    parameters,
    responses: Object.fromEntries(responses.map(([status, { headers: _headers, ...own }]) => [status, own])),
  };
}

/** Without the 404 of versions that are not served. */
function withoutVersionErrors(document: OpenApiDocument): OpenApiDocument {
  const components = document.components as Parts;
  const responses = mapped(components.responses as Parts, (response) => ({
    ...response,
    'x-error-codes': (response['x-error-codes'] as string[]).filter((code) => code !== 'version_not_found'),
    content: Object.fromEntries(
      Object.entries(response.content as Parts).flatMap(([type, { schema }]) => {
        const own = ((schema as Part).anyOf as Part[] | undefined)?.[0] ?? (schema as Part);
        return own.$ref === '#/components/schemas/version_not_found' ? [] : [[type, { schema: own }]];
      }),
    ),
  }));
  return { ...document, components: { ...components, responses } };
}

/** A contract with enums where it has a choice of constants. */
export function withEnums(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? withEnum(value) : value,
  );
}

function mapped(parts: Parts, make: (part: Part) => unknown): Part {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, make(part)]));
}
