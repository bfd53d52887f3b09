import { type ApiSource, apiVersion, type Change, type Json } from '@dateline/versions';
import { readFolderContract } from '../../../src/api/folder/folder-contract.ts';

export const [oldest, older, newest] = [apiVersion('2026-01'), apiVersion('2026-04'), apiVersion('2026-07')];

/** An order has cents in the oldest version, and a price since. */
export function documentOf(version: string): Json {
  const field = version === oldest ? 'cents' : 'price';
  const order = {
    type: 'object',
    required: [field],
    properties: { [field]: { type: 'integer', example: 250 } },
  };
  const content = { 'application/json': { schema: order } };
  return {
    openapi: '3.1.0',
    info: { title: 'Orders', version },
    security: [],
    paths: {
      '/orders': {
        post: {
          operationId: 'orders:create',
          requestBody: { required: true, content },
          responses: { 201: { description: 'Made.', content } },
        },
      },
    },
    webhooks: {
      'order.placed': {
        post: { requestBody: { required: true, content }, responses: { 204: { description: 'Taken.' } } },
      },
    },
  };
}

export function replaceCentsWithPrice(factor: number): Change {
  const down = ({ price, ...order }: Json): Json => ({ ...order, cents: Number(price) * factor });
  return {
    ...{ name: 'replaceCentsWithPrice', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.' },
    examples: [{ before: null, after: null }],
    touches: ['orders:**', 'order.**'],
    upgradeRequest: {
      'orders:create': (request) => ({ ...request, body: { price: Number(request.body.cents) / factor } }),
    },
    downgradeResponse: { 'orders:create': down },
    downgradeEvent: { 'order.placed': (event) => ({ ...event, data: down(event.data) }) },
  };
}

/** Three versions, with these changes after the oldest. */
export const sourceOf = (changes: readonly Change[]): ApiSource => ({
  documents: [oldest, older, newest].map(documentOf),
  changeSets: [
    { newer: older, older: oldest, changes },
    { newer: newest, older, changes: [] },
  ],
  read: (document) => readFolderContract(document, 'contract.json'),
});
