import { Type } from 'typebox';
import {
  Amount,
  AnyIdentifier,
  Currency,
  CursorPagination,
  closed,
  Description,
  DescriptionInput,
  Identifier,
  idCursorQuery,
  NOON,
  numberedPage,
  Timestamp,
  text,
} from './fields.ts';
import {
  actionErrors,
  bearer,
  createErrors,
  internal,
  itemErrors,
  json,
  operations,
  query,
  readErrors,
  repeatableHeaders,
  type Wire,
  writeErrors,
} from './operation-parts.ts';

export const Price = Type.Object({ amount: Amount, currency: Currency }, closed);
const Billing = Type.Union([Type.Literal('one_time'), Type.Literal('recurring'), Type.Literal('usage')]);
const Visibility = Type.Union([Type.Literal('public'), Type.Literal('private'), Type.Literal('archived')]);
const Metadata = Type.Record(Type.String(), Type.String());

const METADATA_KEYS_MAX = 50;
const PRICES_MAX = 20;

export const Product = Type.Object(
  {
    id: Identifier,
    organization_id: Identifier,
    name: Type.String(),
    description: Description,
    billing: Billing,
    visibility: Visibility,
    prices: Type.Array(Price, { minItems: 1, maxItems: PRICES_MAX }),
    metadata: Metadata,
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  closed,
);

export const exampleProduct: Wire<typeof Product> = {
  id: 'prd_0000000000000000000001',
  organization_id: 'org_0000000000000000000001',
  name: 'Support plan',
  description: null,
  billing: 'recurring',
  visibility: 'public',
  prices: [{ amount: 4900, currency: 'eur' }],
  metadata: { tier: 'gold' },
  created_at: NOON,
  modified_at: NOON,
};

/** Metadata as it may be sent: strings by name, within bounds that hold for each of them. */
export const metadataInput = (limits: { maxProperties?: number }) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: text(1, 40),
    additionalProperties: text(0, 500),
    ...limits,
  });

const MetadataInput = metadataInput({ maxProperties: METADATA_KEYS_MAX });
export const PricesInput = Type.Array(Price, { minItems: 1, maxItems: PRICES_MAX });
const Name = text(3, 200);

const NewProduct = Type.Object(
  {
    organization_id: Type.Optional(AnyIdentifier),
    name: Name,
    description: Type.Optional(DescriptionInput),
    billing: Billing,
    visibility: Type.Optional(Visibility),
    prices: PricesInput,
    metadata: Type.Optional(MetadataInput),
  },
  closed,
);

const ProductChanges = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(DescriptionInput),
    visibility: Type.Optional(Visibility),
    prices: Type.Optional(PricesInput),
    metadata: Type.Optional(MetadataInput),
  },
  closed,
);

const GONE = { 410: ['gone'] };
const groups = ['products', 'public'];

export const productOperations = operations({
  'products:list': {
    ...numberedPage,
    method: 'GET',
    path: '/v1/products/',
    summary: 'List products',
    groups,
    security: bearer('products:read'),
    query: query({ organization_id: Type.Optional(AnyIdentifier), ...idCursorQuery('prd') }),
    body: null,
    responses: {
      200: json(Type.Object({ items: Type.Array(Product), pagination: CursorPagination }, closed)),
    },
    errors: readErrors,
  },
  'products:create': {
    method: 'POST',
    path: '/v1/products/',
    summary: 'Create a product',
    groups,
    security: bearer('products:write'),
    query: null,
    headers: repeatableHeaders,
    body: json(NewProduct),
    responses: { 201: json(Product) },
    errors: createErrors,
  },
  'products:read': {
    method: 'GET',
    path: '/v1/products/{id}',
    summary: 'Read a product',
    groups,
    security: bearer('products:read'),
    query: null,
    body: null,
    responses: { 200: json(Product) },
    errors: { ...itemErrors, ...GONE },
  },
  'products:update': {
    method: 'PATCH',
    path: '/v1/products/{id}',
    summary: 'Change a product',
    groups,
    security: bearer('products:write'),
    query: null,
    body: json(ProductChanges),
    command: internal({
      archive: Type.Optional(Type.Literal(true)),
      /** Makes an archived product public, and leaves one that is not archived as it is. */
      unarchive: Type.Optional(Type.Literal(true)),
      /** Replaces the first price and leaves the others. */
      setPrimaryPrice: Type.Optional(Price),
    }),
    responses: { 200: json(Product) },
    errors: { ...writeErrors, ...itemErrors, ...GONE },
  },
  'products:delete': {
    method: 'DELETE',
    path: '/v1/products/{id}',
    summary: 'Delete a product',
    groups,
    security: bearer('products:write'),
    query: null,
    body: null,
    responses: { 204: null },
    errors: { ...actionErrors, ...GONE },
  },
});
