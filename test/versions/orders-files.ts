import { apiVersion, bundleOpenApi, type OpenApiDocument, type OpenApiOptions } from '@dateline/versions';

/** The newest contract of a company's own API, as its files: ordinary OpenAPI, with much of what that may hold. */
export function ordersFiles(): Map<string, unknown> {
  const files = {
    'next.yaml': entry,
    'paths/order.yaml': orderPath,
    'schemas/order.yaml': orderSchema,
    'schemas/shared.yaml': shared,
  };
  // A copy, so that a test may change it.
  return new Map(Object.entries(structuredClone(files)));
}

export function ordersDocument(): OpenApiDocument {
  const { document, problems } = bundleOpenApi('next.yaml', ordersFiles());
  if (document === null) throw new Error(JSON.stringify(problems));
  return document;
}

/** The same with one part put in the place of another. Undefined takes it away. */
export function ordersWith(pointer: string, value: unknown): OpenApiDocument {
  const document = structuredClone(ordersDocument()) as Record<string, unknown>;
  const keys = pointer.split('/').slice(1);
  const last = unescaped(keys.pop() ?? '');
  let holder = document;
  for (const key of keys.map(unescaped)) {
    holder[key] ??= {};
    holder = holder[key] as Record<string, unknown>;
  }
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return document;
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** Frame and errors, as the service would give them. */
export const ordersOptions: OpenApiOptions = {
  errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: { type: 'object' } },
  errors: { 401: ['unauthorized'], 502: ['upstream_failed'] },
  wrapEvent: (kind, data) => ({
    type: 'object',
    required: ['data', 'type'],
    properties: { type: { const: kind }, data },
    additionalProperties: false,
  }),
  wrapExample: (kind, data) => ({ type: kind, data }),
};

export const ordersVersion = apiVersion('2027-01');

const entry = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: ordersVersion },
  servers: [{ url: 'https://api.example.com' }],
  security: [{ oauth: ['orders:read'] }],
  tags: [{ name: 'orders', description: 'What customers want.' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'List orders',
        description: 'The newest first.',
        tags: ['orders'],
        parameters: [
          { $ref: 'schemas/shared.yaml#/parameters/limit' },
          { name: 'state', in: 'query', schema: { type: 'array', items: { enum: ['open', 'sent'] } } },
          { name: 'Trace-Id', in: 'header', schema: { type: 'string', maxLength: 40 } },
        ],
        responses: {
          200: {
            description: 'A page of orders.',
            headers: {
              'X-Total': { schema: { type: 'integer' } },
              'Content-Type': { schema: { type: 'string' } },
            },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
              },
              'text/csv': {},
            },
          },
          default: { description: 'Anything else.' },
        },
      },
      post: {
        operationId: 'createOrder',
        security: [{ oauth: ['orders:write'] }],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: { type: 'object', required: ['sku'] } },
            'application/json': { schema: { $ref: 'schemas/order.yaml#/$defs/NewOrder' } },
          },
        },
        responses: {
          201: { $ref: '#/components/responses/Order' },
          409: { description: 'There is one already.', 'x-error-codes': ['order_exists', 'conflict'] },
          422: {
            description: 'Not valid.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
          '5XX': { description: 'Our fault.' },
        },
      },
    },
    '/orders/{number}': { $ref: 'paths/order.yaml' },
    '/status': {
      get: { operationId: 'readStatus', security: [], responses: { 204: { description: 'All is well.' } } },
    },
  },
  webhooks: {
    'order.created': {
      post: {
        summary: 'An order was created',
        'x-scopes': ['orders:read'],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Order' },
              examples: { one: { $ref: '#/components/examples/order' } },
            },
          },
        },
        responses: { '2XX': { description: 'Received.' } },
      },
    },
    'order.sent': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
      },
    },
  },
  components: {
    schemas: {
      Order: { $ref: 'schemas/order.yaml' },
      Failure: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', enum: ['sku_unknown', 'quantity_too_high'] } },
      },
    },
    examples: { order: { value: { number: 7, lines: [{ sku: 'a-1', quantity: 2 }] } } },
    responses: {
      Order: {
        description: 'The order.',
        headers: { Location: { schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
      },
    },
    securitySchemes: { oauth: { type: 'oauth2', flows: {} }, session: { type: 'http', scheme: 'Bearer' } },
  },
};

const orderPath = {
  parameters: [
    { name: 'number', in: 'path', required: true, schema: { $ref: '../schemas/shared.yaml#/Number' } },
  ],
  get: {
    operationId: 'readOrder',
    responses: { 200: { $ref: '../next.yaml#/components/responses/Order' }, 404: { description: 'None.' } },
  },
  delete: {
    operationId: 'deleteOrder',
    security: [{ session: [] }],
    responses: { 204: { description: 'Gone.' }, 418: { description: 'A teapot.' } },
  },
};

const orderSchema = {
  title: 'An order',
  type: 'object',
  required: ['number', 'lines'],
  properties: {
    number: { $ref: 'shared.yaml#/Number' },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/Line' } },
    note: { type: 'string', nullable: true, example: 'Ring twice.' },
    placed_at: { type: 'string', format: 'date-time' },
    title: { type: 'string', description: 'A property, and no prose.' },
    replaces: { $ref: '#' },
  },
  additionalProperties: false,
  $defs: {
    Line: {
      type: 'object',
      required: ['sku', 'quantity'],
      properties: {
        sku: { type: 'string', pattern: '^[a-z]-[0-9]$', example: 'b-2' },
        quantity: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      },
    },
    NewOrder: {
      allOf: [
        { type: 'object', properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } } } },
        { required: ['lines'] },
      ],
    },
  },
};

const shared = {
  Number: { description: 'Counts from 1.', type: 'integer', minimum: 1 },
  parameters: {
    limit: {
      name: 'limit',
      in: 'query',
      description: 'How many.',
      schema: { type: 'integer', maximum: 100 },
    },
  },
};
