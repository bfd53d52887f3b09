import { isPart, type Part } from './plain-data.ts';

/** The kinds of objects that an OpenAPI document is made of. */
export type OpenApiKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'schema';

/** The content of a field: one object of a kind, a list of them, or several by name. */
export interface Holding {
  kind: OpenApiKind;
  as: 'one' | 'list' | 'named';
  /** Of named ones: that names which begin with `x-` are extensions. */
  extensible?: true;
}

export interface Rule {
  /** The fields that hold other objects. */
  holds: Readonly<Record<string, Holding>>;
  /** The other fields that the specification knows. */
  others: readonly string[];
  /** Where objects of this kind go that come from another file, and may be referred to. */
  section?: string;
}

const one = (kind: OpenApiKind): Holding => ({ kind, as: 'one' });
const list = (kind: OpenApiKind): Holding => ({ kind, as: 'list' });
const named = (kind: OpenApiKind): Holding => ({ kind, as: 'named' });
const extensible = (kind: OpenApiKind): Holding => ({ kind, as: 'named', extensible: true });

const parameterFields = ['description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode'];
const parameterRule = {
  holds: { schema: one('schema'), content: named('mediaType'), examples: named('example') },
  others: [...parameterFields, 'allowReserved', 'example'],
};
const methodFields = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * The places of an OpenAPI document and what stands there. So a `$ref` is told from a property or an example that has
 * this name, and a misspelt field from an extension.
 */
export const openApiGrammar: Readonly<Record<OpenApiKind, Rule>> = {
  document: {
    holds: { paths: extensible('pathItem'), webhooks: named('pathItem'), components: one('components') },
    others: ['openapi', 'info', 'jsonSchemaDialect', 'servers', 'security', 'tags', 'externalDocs'],
  },
  components: {
    holds: {
      schemas: named('schema'),
      responses: named('response'),
      parameters: named('parameter'),
      examples: named('example'),
      requestBodies: named('requestBody'),
      headers: named('header'),
      securitySchemes: named('securityScheme'),
      links: named('link'),
      callbacks: named('callback'),
      pathItems: named('pathItem'),
    },
    others: [],
  },
  pathItem: {
    holds: {
      ...Object.fromEntries(methodFields.map((method) => [method, one('operation')])),
      parameters: list('parameter'),
    },
    others: ['summary', 'description', 'servers'],
    section: 'pathItems',
  },
  operation: {
    holds: {
      parameters: list('parameter'),
      requestBody: one('requestBody'),
      responses: extensible('response'),
      callbacks: named('callback'),
    },
    others: [
      'tags',
      'summary',
      'description',
      'externalDocs',
      'operationId',
      'deprecated',
      'security',
      'servers',
    ],
  },
  parameter: { ...parameterRule, others: ['name', 'in', ...parameterRule.others], section: 'parameters' },
  header: { ...parameterRule, section: 'headers' },
  requestBody: {
    holds: { content: named('mediaType') },
    others: ['description', 'required'],
    section: 'requestBodies',
  },
  response: {
    holds: { headers: named('header'), content: named('mediaType'), links: named('link') },
    others: ['description'],
    section: 'responses',
  },
  mediaType: {
    holds: { schema: one('schema'), examples: named('example'), encoding: named('encoding') },
    others: ['example'],
  },
  encoding: {
    holds: { headers: named('header') },
    others: ['contentType', 'style', 'explode', 'allowReserved'],
  },
  example: {
    holds: {},
    others: ['summary', 'description', 'value', 'externalValue'],
    section: 'examples',
  },
  link: {
    holds: {},
    others: ['operationRef', 'operationId', 'parameters', 'requestBody', 'description', 'server'],
    section: 'links',
  },
  // Its names are expressions such as `{$request.body#/url}`.
  callback: { holds: {}, others: [], section: 'callbacks' },
  securityScheme: {
    holds: {},
    others: ['type', 'description', 'name', 'in', 'scheme', 'bearerFormat', 'flows', 'openIdConnectUrl'],
    section: 'securitySchemes',
  },
  schema: {
    holds: {
      properties: named('schema'),
      patternProperties: named('schema'),
      dependentSchemas: named('schema'),
      $defs: named('schema'),
      definitions: named('schema'),
      prefixItems: list('schema'),
      allOf: list('schema'),
      anyOf: list('schema'),
      oneOf: list('schema'),
      items: one('schema'),
      contains: one('schema'),
      unevaluatedItems: one('schema'),
      additionalProperties: one('schema'),
      propertyNames: one('schema'),
      unevaluatedProperties: one('schema'),
      contentSchema: one('schema'),
      not: one('schema'),
      if: one('schema'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: one('schema'),
      else: one('schema'),
    },
    // Its other keywords are in schema-keywords.ts.
    others: [],
    section: 'schemas',
  },
};

/** An object that another one holds, and the keys that lead to it. */
export interface Held {
  kind: OpenApiKind;
  keys: readonly string[];
  value: unknown;
}

/** A copy of an object, with what it holds replaced. What does not look as it should stays as it is. */
export function mapHeld(kind: OpenApiKind, object: Part, replace: (held: Held) => unknown): Part {
  const replaced = Object.entries(object).map(
    ([field, value]) => [field, mapField(kind, field, value, replace)] as const,
  );
  return Object.fromEntries(replaced);
}

/** The same of one field. */
export function mapField(
  kind: OpenApiKind,
  field: string,
  value: unknown,
  replace: (held: Held) => unknown,
): unknown {
  const holding = holdingOf(kind, field);
  return holding ? mapHolding(holding, { field, value, replace }) : value;
}

/** Everything that an object holds. */
export function heldBy(kind: OpenApiKind, object: Part): Held[] {
  return Object.keys(object).flatMap((field) => {
    const holding = holdingOf(kind, field);
    return holding ? heldIn(holding, field, object[field]) : [];
  });
}

function heldIn({ kind, as, extensible }: Holding, field: string, value: unknown): Held[] {
  if (as === 'one') return [{ kind, keys: [field], value }];
  const isHolding = as === 'list' ? Array.isArray(value) : isPart(value);
  return Object.entries(isHolding ? (value ?? {}) : {})
    .filter(([name]) => !(extensible && name.startsWith('x-')))
    .map(([name, item]) => ({ kind, keys: [field, name], value: item }));
}

function holdingOf(kind: OpenApiKind, field: string): Holding | undefined {
  if (kind === 'callback') return field.startsWith('x-') ? undefined : one('pathItem');
  const { holds } = openApiGrammar[kind];
  return Object.hasOwn(holds, field) ? holds[field] : undefined;
}

function mapHolding(
  { kind, as, extensible }: Holding,
  { field, value, replace }: { field: string; value: unknown; replace: (held: Held) => unknown },
): unknown {
  if (as === 'one') return replace({ kind, keys: [field], value });
  if (as === 'list') {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => replace({ kind, keys: [field, String(index)], value: item }));
  }
  if (!isPart(value)) return value;
  const replaced = Object.entries(value).map(([name, item]) => {
    const isExtension = extensible && name.startsWith('x-');
    return [name, isExtension ? item : replace({ kind, keys: [field, name], value: item })] as const;
  });
  return Object.fromEntries(replaced);
}
