import type { OpenApiDocument } from '@dateline/versions';
import {
  aboutApi,
  aboutDateline,
  securitySchemes,
  tags,
  versionHeader,
  webhookHeaders,
} from '../../contracts/prose/about.ts';
import type { Subject } from '../../contracts/prose/prose.ts';
import { sharedFields } from '../../contracts/prose/shared.ts';
import { describeSchema, mapValues, proseFinder } from './describe-schema.ts';
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
  usualShape,
  versionNotFoundSchema,
} from './error-responses.ts';
import { listIn, type Part, partIn, partsIn, textIn, textsIn } from './parts.ts';
import { headerParts, headersOf, type Served, servedOperation, withHeaders } from './served-operation.ts';

/**
 * A contract as it is served: with words and examples, and with what the service does for every operation of a version,
 * which contracts do not repeat. Nothing that the contract promises is left out or changed.
 */
export function servedDocument(served: Served): OpenApiDocument {
  const { document, issuer, state } = served;
  const info = partIn(document, 'info');
  const { description = aboutDateline, license, contact, ...others } = info;
  const version = textIn(info, 'version');
  const paths = partIn(document, 'paths');
  const operations = Object.keys(paths).flatMap((path) => Object.values(partsIn(paths, path)));
  const components = partIn(document, 'components');
  const used = new Set(operations.flatMap((operation) => textsIn(operation, 'tags')));
  return {
    ...document,
    info: {
      ...others,
      description: [description, aboutApi(version, issuer)].filter(Boolean).join('\n\n'),
      contact: contact ?? { name: 'Who runs this service', url: issuer },
      ...(license === null ? {} : { license: license ?? { name: 'MIT', identifier: 'MIT' } }),
    },
    servers: [{ url: issuer }, ...listIn(document, 'servers')],
    tags: [...used].map((name) => {
      const known = tagNamed(document, name);
      return { ...known, name, description: tags[name] ?? known?.description };
    }),
    paths: servedPaths(served),
    webhooks: mapValues(partsIn(document, 'webhooks'), (item, kind) => ({
      post: servedWebhook(partIn(item, 'post'), kind, version, served.subjects),
    })),
    components: {
      parameters: { 'Service-Version': versionParameter(version) },
      headers: headerParts(version, state),
      responses: errorResponses(operations, served),
      schemas: { ...partIn(components, 'schemas'), ...errorSchemas(operations, document) },
      securitySchemes: mapValues(partsIn(components, 'securitySchemes'), (scheme, name) => ({
        ...scheme,
        description: securitySchemes[name],
      })),
    },
  };
}

function tagNamed(document: OpenApiDocument, name: string): Part | undefined {
  return listIn(document, 'tags').find((tag) => tag.name === name);
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
  const paths = partIn(served.document, 'paths');
  return Object.fromEntries(
    Object.keys(paths).map((path) => {
      const name = path.replace(/(?<=.)\/$/, '');
      const contractPath = name === path ? {} : { 'x-contract-path': path };
      return [
        name,
        {
          ...contractPath,
          ...mapValues(partsIn(paths, path), (operation) => servedOperation(operation, served)),
        },
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
      {
        ...errorPart(one, served),
        headers: withHeaders(one.written ?? {}, headersOf(one.status, state)),
      },
    ]),
    ...operations.filter(needsDefault).map((operation) => {
      const shape = errorShapeOf(operation, document);
      const part = defaultPart(shape, usualShape(document));
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

/** A kind of event, with the headers of its deliveries. */
export function servedWebhook(post: Part, kind: string, version: string, subjects: readonly Subject[]): Part {
  const subject = subjects.find(({ events }) => Object.hasOwn(events, kind));
  const find = proseFinder(subject?.fields ?? {}, sharedFields);
  const requestBody = partIn(post, 'requestBody');
  return {
    ...post,
    operationId: `webhook:${kind}`,
    description: subject?.events[kind] ?? post.description,
    tags: ['webhooks'],
    security: [],
    parameters: Object.entries(webhookHeaders(version)).map(([name, { description, example }]) => ({
      name,
      in: 'header',
      required: true,
      description: description,
      schema: { type: 'string', ...(name === 'webhook-api-version' && { const: version }) },
      example,
    })),
    requestBody: {
      ...requestBody,
      content: mapValues(partsIn(requestBody, 'content'), (body) => ({
        ...body,
        schema: describeSchema(partIn(body, 'schema'), ['event'], find),
      })),
    },
    responses: {
      '2XX': { description: 'Received. Any other answer is a failure, after which it is sent again.' },
    },
  };
}
