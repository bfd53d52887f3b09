import { Type } from 'typebox';
import { apiVersion } from '../../versions/api-version.ts';
import type { Contract } from '../../versions/contract.ts';
import { authorizeOperations } from '../head/authorize.ts';
import { eventKind, serviceEvents } from '../head/events.ts';
import {
  Amount,
  AnyIdentifier,
  Currency,
  closed,
  Description,
  DescriptionInput,
  Identifier,
  Timestamp,
  text,
} from '../head/fields.ts';
import { grantOperations } from '../head/grants.ts';
import { oauthOperations } from '../head/oauth.ts';
import { registrationOperations } from '../head/registration.ts';
import { userinfoOperations } from '../head/userinfo.ts';
import { webhookOperations } from '../head/webhooks.ts';
import { Billing, errorShape, organizationsList, productOperations } from './2026-10.ts';

const version = apiVersion('2026-07');

const Product = Type.Object(
  {
    id: Identifier,
    organization_id: Identifier,
    name: Type.String(),
    description: Description,
    billing: Billing,
    is_archived: Type.Boolean(),
    price_amount: Amount,
    price_currency: Currency,
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  closed,
);

const NewProduct = Type.Object(
  {
    organization_id: Type.Optional(AnyIdentifier),
    name: text(1, 200),
    description: Type.Optional(DescriptionInput),
    billing: Billing,
    price_amount: Amount,
    price_currency: Currency,
  },
  closed,
);

const ProductChanges = Type.Object(
  {
    name: Type.Optional(text(1, 200)),
    description: Type.Optional(DescriptionInput),
    is_archived: Type.Optional(Type.Boolean()),
    price_amount: Type.Optional(Amount),
    price_currency: Type.Optional(Currency),
  },
  { ...closed, dependentRequired: { price_amount: ['price_currency'], price_currency: ['price_amount'] } },
);

const product = {
  id: 'prd_0000000000000000000001',
  organization_id: 'org_0000000000000000000001',
  name: 'Support plan',
  description: null,
  billing: 'recurring',
  is_archived: false,
  price_amount: 4900,
  price_currency: 'eur',
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
    ...serviceEvents(version),
  ],
};
