import { authorizeSteps } from '../head/authorize.ts';
import { grantSteps } from '../head/grants.ts';
import { oauthSteps } from '../head/oauth.ts';
import { registrationSteps } from '../head/registration.ts';
import { userinfoSteps } from '../head/userinfo.ts';
import { webhookSteps } from '../head/webhooks.ts';
import type { Step } from '../step.ts';
import { organizationSteps } from './organizations.ts';
import { create, productSteps, read, refused, update } from './products.ts';

const prices = [{ amount: 4900, currency: 'eur' }];
const least = { name: 'Support plan', billing: 'recurring', prices };
const fiftyOneKeys = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x']));

export const script: readonly Step[] = [
  ...oauthSteps,
  ...registrationSteps,
  ...userinfoSteps,
  ...authorizeSteps,
  ...grantSteps,
  ...organizationSteps,
  ...productSteps({
    price: { prices },
    negativePrice: { prices: [{ amount: -1, currency: 'eur' }] },
    more: { prices: [...prices, { amount: 5900, currency: 'usd' }], metadata: { tier: 'gold' } },
  }),
  create('with a name of two characters', refused, { body: { json: { ...least, name: 'ab' } } }),
  create('without a price', refused, { body: { json: { ...least, prices: [] } } }),
  create('with two prices in one currency', refused, {
    body: { json: { ...least, prices: [...prices, ...prices] } },
  }),
  create('with as many metadata as one likes', '201', {
    body: { json: { ...least, metadata: fiftyOneKeys } },
  }),
  create('with metadata that are no text', refused, { body: { json: { ...least, metadata: { tier: 1 } } } }),
  update('the prices', '200', {
    body: {
      json: {
        prices: [
          { amount: 9900, currency: 'gbp' },
          { amount: 1, currency: 'eur' },
        ],
      },
    },
  }),
  update('the metadata', '200', { body: { json: { metadata: { tier: 'platinum' } } } }),
  update('to two prices in one currency', refused, { body: { json: { prices: [...prices, ...prices] } } }),
  read('with its new prices', '200'),
  ...webhookSteps,
];
