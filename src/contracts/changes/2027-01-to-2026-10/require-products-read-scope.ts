import type { Change } from '@dateline/versions';

export const requireProductsReadScope: Change = {
  name: 'requireProductsReadScope',
  kind: 'changed',
  summary:
    'GET /v1/products/ needs the scope products:read; before, any valid token of the organization would do.',
  why: 'A list shows as much as its items, and those have always needed the scope.',
  upgradeNote: 'Ask for products:read when you get tokens that list products.',
  examples: [
    {
      before: { request: 'GET /v1/products/', scopes: [] },
      after: { request: 'GET /v1/products/', scopes: ['products:read'] },
    },
  ],
  touches: ['products:list.security'],
};
