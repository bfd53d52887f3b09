import { Type } from 'typebox';
import { apiVersion } from '../../versions/api-version.ts';
import type { Contract, Operation } from '../../versions/contract.ts';
import { authorizeOperations } from '../head/authorize.ts';
import { eventKind, serviceEvents } from '../head/events.ts';
import {
  AnyIdentifier,
  closed,
  Description,
  DescriptionInput,
  Identifier,
  Timestamp,
  text,
} from '../head/fields.ts';
import { grantOperations } from '../head/grants.ts';
import { oauthOperations } from '../head/oauth.ts';
import {
  actionErrors,
  bearer,
  createErrors,
  itemErrors,
  json,
  plain,
  query,
  readErrors,
  repeatableHeaders,
  writeErrors,
} from '../head/operation-parts.ts';
import { Organization } from '../head/organizations.ts';
import { Limit } from '../head/pagination.ts';
import { metadataInput, Price, PricesInput } from '../head/products.ts';
import { registrationOperations } from '../head/registration.ts';
import { userinfoOperations } from '../head/userinfo.ts';
import { webhookOperations } from '../head/webhooks.ts';

const version = apiVersion('2026-10');

export const Billing = Type.Union([Type.Literal('one_time'), Type.Literal('recurring')]);

const Product = Type.Object(
  {
    id: Identifier,
    organization_id: Identifier,
    name: Type.String(),
    description: Description,
    billing: Billing,
    is_archived: Type.Boolean(),
    prices: Type.Array(Price, { minItems: 1, maxItems: 20 }),
    metadata: Type.Record(Type.String(), Type.String()),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  closed,
);

const NewProduct = Type.Object(
  {
    organization_id: Type.Optional(AnyIdentifier),
    name: text(3, 200),
    description: Type.Optional(DescriptionInput),
    billing: Billing,
    prices: PricesInput,
    metadata: Type.Optional(metadataInput({})),
  },
  closed,
);

const ProductChanges = Type.Object(
  {
    name: Type.Optional(text(3, 200)),
    description: Type.Optional(DescriptionInput),
    is_archived: Type.Optional(Type.Boolean()),
    prices: Type.Optional(PricesInput),
    metadata: Type.Optional(metadataInput({})),
  },
  closed,
);

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  limit: Type.Optional(Limit),
};

export const PagePagination = Type.Object(
  { page: Type.Integer(), limit: Type.Integer(), total_count: Type.Integer(), max_page: Type.Integer() },
  closed,
);

export const errorShape: Contract['errorShape'] = {
  name: 'plain',
  mediaType: 'application/json',
  schema: plain(Type.Object({ error: Type.String(), detail: Type.String() }, closed)),
};

const groups = ['products', 'public'];

export const organizationsList: Operation = {
  id: 'organizations:list',
  method: 'GET',
  path: '/v1/organizations/',
  summary: 'List the organizations of the token',
  groups: ['organizations', 'public'],
  security: bearer('organizations:read'),
  query: query(pageQuery),
  body: null,
  responses: {
    200: json(Type.Object({ items: Type.Array(Organization), pagination: PagePagination }, closed)),
  },
  errors: readErrors,
};

/** The product operations of both founding versions: they differ in the product alone. */
export function productOperations(product: object, newProduct: object, productChanges: object): Operation[] {
  const list = { type: 'object', required: ['items', 'pagination'], additionalProperties: false };
  const items = { type: 'array', items: product };
  const item = {
    method: 'GET',
    path: '/v1/products/{id}',
    groups,
    query: null,
    body: null,
    errors: itemErrors,
  } as const;
  return [
    {
      id: 'products:list',
      method: 'GET',
      path: '/v1/products/',
      summary: 'List products',
      groups,
      security: bearer(),
      query: query({ organization_id: Type.Optional(AnyIdentifier), ...pageQuery }),
      body: null,
      responses: { 200: json({ ...list, properties: { items, pagination: PagePagination } }) },
      errors: readErrors,
    },
    {
      id: 'products:create',
      method: 'POST',
      path: '/v1/products/',
      summary: 'Create a product',
      groups,
      security: bearer('products:write'),
      query: null,
      headers: repeatableHeaders,
      body: json(newProduct),
      responses: { 201: json(product) },
      errors: createErrors,
    },
    {
      ...item,
      id: 'products:read',
      summary: 'Read a product',
      security: bearer('products:read'),
      responses: { 200: json(product) },
    },
    {
      ...item,
      id: 'products:update',
      method: 'PATCH',
      summary: 'Change a product',
      security: bearer('products:write'),
      body: json(productChanges),
      responses: { 200: json(product) },
      errors: { ...writeErrors, ...itemErrors },
    },
    {
      ...item,
      id: 'products:archive',
      method: 'POST',
      path: '/v1/products/{id}/archive',
      summary: 'Archive a product',
      security: bearer('products:write'),
      responses: { 200: json(product) },
      errors: actionErrors,
    },
  ];
}

const product = {
  id: 'prd_0000000000000000000001',
  organization_id: 'org_0000000000000000000001',
  name: 'Support plan',
  description: null,
  billing: 'recurring',
  is_archived: false,
  prices: [{ amount: 4900, currency: 'eur' }],
  metadata: { tier: 'gold' },
  created_at: '2026-11-15T12:00:00.000Z',
  modified_at: '2026-11-15T12:00:00.000Z',
};

export const contract: Contract = {
  version,
  errorShape,
  operations: [
    ...oauthOperations,
    ...registrationOperations,
    ...userinfoOperations,
    ...authorizeOperations,
    ...grantOperations,
    organizationsList,
    ...productOperations(Product, NewProduct, ProductChanges),
    ...webhookOperations,
  ],
  events: [
    eventKind('product.created', version, 'A product was created', Product, product),
    eventKind('product.updated', version, 'A product was changed', Product, product),
    eventKind('product.archived', version, 'A product was archived', Product, {
      ...product,
      is_archived: true,
    }),
    ...serviceEvents(version),
  ],
};
