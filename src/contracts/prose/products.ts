import { describe, exampleId, type Subject } from './prose.ts';

export const productProse: Subject = {
  operations: {
    'products:list': {
      description: 'Lists the products of the token’s organizations, archived ones included.',
      answers: { 200: 'A page of products.' },
    },
    'products:create': {
      description: 'Makes a product. Send an Idempotency-Key where you may have to repeat the request.',
      answers: { 201: 'The new product.' },
      sends: ['description', 'visibility', 'metadata'],
    },
    'products:read': { description: 'Reads one product.', answers: { 200: 'The product.' } },
    'products:update': {
      description: 'Changes the fields that are sent, and leaves the others.',
      answers: { 200: 'The product as it is now.' },
    },
    'products:archive': {
      lastIn: '2026-10',
      description: 'Takes a product off sale. It can still be read, and put back by a change.',
      answers: { 200: 'The product as it is now.' },
    },
    'products:delete': {
      description: 'Deletes a product for good. Afterwards its address answers 410.',
      answers: { 204: 'It is deleted.' },
    },
  },
  events: {
    'product.created': 'Sent when a product is made.',
    'product.updated': 'Sent when a product is changed.',
    'product.archived': 'Sent when a product is archived.',
    'product.deleted': 'Sent when a product is deleted, with what it was before.',
  },
  fields: {
    'query.cursor': describe('The next_cursor of the page before.', exampleId('prd')),
    'path.id': describe('The id of the product.', exampleId('prd')),
    items: describe('The products.'),
    id: describe('The id of the product.', exampleId('prd')),
    organization_id: describe('The organization that it belongs to.', exampleId('org')),
    'request.organization_id': describe(
      'The organization that it is for; needed where the token reaches several.',
      exampleId('org'),
    ),
    name: describe('What it is called.', 'Support plan'),
    description: describe('More about it; null where there is nothing to say.', 'Answers within a day.'),
    billing: describe('How it is paid for.', 'recurring'),
    visibility: describe(
      'Who sees it: everyone, only its organization, or nobody because it is archived.',
      'public',
    ),
    is_archived: { ...describe('Whether it is archived.', false), lastIn: '2026-10' },
    price_amount: describe('The price in the smallest unit of its currency, such as cents.', 4900),
    price_currency: describe('The currency: three small letters of ISO 4217.', 'eur'),
    prices: describe('The prices, one for each currency.'),
    'prices.amount': describe('The price in the smallest unit of its currency, such as cents.', 4900),
    'prices.currency': describe('The currency: three small letters of ISO 4217.', 'eur'),
    metadata: describe('What you want to keep with it: texts by name.', { tier: 'gold' }),
    created_at: describe('When it was made.', '2026-11-15T12:00:00.000Z'),
    modified_at: describe('When it was last changed.', '2026-11-15T12:00:00.000Z'),
  },
};
