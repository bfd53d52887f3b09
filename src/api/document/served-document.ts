import type { ErrorShape, OpenApiDocument } from '@dateline/versions';
import {
  aboutApi,
  aboutDateline,
  securitySchemes,
  tags,
  versionHeader,
} from '../../contracts/prose/about.ts';
import { headerParts, headersOf } from './answer-headers.ts';
import { mapValues } from './describe-schema.ts';
import {
  defaultName,
  defaultPart,
  errorName,
  errorPart,
  errorSchema,
  errorSchemaName,
  errorShapeOf,
  errorsOf,
  needsDefault,
  versionNotFoundSchema,
} from './error-responses.ts';
import { type Served, servedOperation } from './served-operation.ts';
import { servedWebhook } from './served-webhook.ts';

type Part = Readonly<Record<string, unknown>>;
type Parts = Readonly<Record<string, Part>>;

/**
 * A contract as it is served: with words and examples, and with what the service does for every operation of a version,
 * which contracts do not repeat. Nothing that the contract promises is left out or changed.
 */
export function servedDocument(served: Served): OpenApiDocument {
  const { document, issuer, state } = served;
  const { title, version, description = aboutDateline, license } = document.info as DocumentInfo;
  const operations = Object.values(document.paths as Readonly<Record<string, Parts>>).flatMap(Object.values);
  const used = new Set(operations.flatMap(({ tags }) => tags as string[]));
  return {
    ...document,
    info: {
      title,
      version,
      description: [description, aboutApi(version, issuer)].filter(Boolean).join('\n\n'),
      contact: { name: 'Who runs this service', url: issuer },
      ...(license === null ? {} : { license: license ?? { name: 'MIT', identifier: 'MIT' } }),
    },
    servers: [{ url: issuer }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? tagNamed(document, name) })),
    paths: servedPaths(served),
    webhooks: mapValues(document.webhooks as Readonly<Record<string, Parts>>, ({ post }, kind) => ({
      post: servedWebhook(post as Part, kind, version, served.subjects),
    })),
    components: {
      parameters: { 'Service-Version': versionParameter(version) },
      headers: headerParts(version, state),
      responses: errorResponses(operations, served),
      schemas: { ...componentsOf(document).schemas, ...errorSchemas(operations, document) },
      securitySchemes: mapValues(componentsOf(document).securitySchemes, (scheme, name) => ({
        ...scheme,
        description: securitySchemes[name],
      })),
    },
  };
}

interface DocumentInfo {
  title: string;
  version: string;
  /** Of the operator's own API: its author's words, if there are any. */
  description?: string;
  /** Null: the author names none. */
  license?: object | null;
}

function componentsOf(document: OpenApiDocument) {
  return document.components as { securitySchemes: Parts; schemas?: Parts };
}

function tagNamed({ tags = [] }: OpenApiDocument, name: string): string | undefined {
  return (tags as { name: string; description?: string }[]).find((tag) => tag.name === name)?.description;
}

/** Clients that are made from the document of a version speak that version. */
function versionParameter(version: string): Part {
  return {
    name: 'Service-Version',
    in: 'header',
    required: true,
    description: versionHeader,
    schema: { type: 'string', const: version },
    example: version,
  };
}

/** Without a slash at the end, which makes no difference to the service, and two names of one path to tools. */
function servedPaths(served: Served): Part {
  const paths = Object.entries(served.document.paths as Readonly<Record<string, Parts>>);
  return Object.fromEntries(
    paths.map(([path, item]) => {
      const name = path.replace(/\/$/, '');
      const contractPath = name === path ? {} : { 'x-contract-path': path };
      return [
        name,
        { ...contractPath, ...mapValues(item, (operation) => servedOperation(operation, served)) },
      ];
    }),
  );
}

function errorResponses(operations: readonly Part[], served: Served): Part {
  const { document, state } = served;
  const errors = operations.flatMap((operation) => errorsOf(operation, document));
  return Object.fromEntries([
    ...errors.map((one) => [
      errorName(one),
      { ...errorPart(one, served), headers: headersOf(one.status, state) },
    ]),
    ...operations.filter(needsDefault).map((operation) => {
      const shape = errorShapeOf(operation, document);
      const part = defaultPart(shape, document['x-error-shape'] as ErrorShape);
      return [defaultName(shape), { ...part, headers: headersOf('default', state) }];
    }),
  ]);
}

function errorSchemas(operations: readonly Part[], document: OpenApiDocument): Part {
  const shapes = operations.map((operation) => errorShapeOf(operation, document));
  return {
    ...Object.fromEntries(shapes.map((shape) => [errorSchemaName(shape), errorSchema(shape)])),
    version_not_found: versionNotFoundSchema(),
  };
}
