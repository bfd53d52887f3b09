import { authorizeSteps } from '../head/authorize.ts';
import { grantSteps } from '../head/grants.ts';
import { oauthSteps } from '../head/oauth.ts';
import { registrationSteps } from '../head/registration.ts';
import { userinfoSteps } from '../head/userinfo.ts';
import { webhookSteps } from '../head/webhooks.ts';
import type { Step } from '../step.ts';
import { organizationSteps } from './organizations.ts';
import { create, productSteps, read, refused, update } from './products.ts';

const price = { price_amount: 4900, price_currency: 'eur' };
const least = { name: 'Support plan', billing: 'recurring', ...price };

export const script: readonly Step[] = [
  ...oauthSteps,
  ...registrationSteps,
  ...userinfoSteps,
  ...authorizeSteps,
  ...grantSteps,
  ...organizationSteps,
  ...productSteps({ price, negativePrice: { ...price, price_amount: -1 }, more: {} }),
  create('with a name of one character', '201', { body: { json: { ...least, name: 'S' } } }),
  create('with an empty name', refused, { body: { json: { ...least, name: '' } } }),
  create('with a currency in capitals', refused, { body: { json: { ...least, price_currency: 'EUR' } } }),
  create('with prices, as a later version has them', refused, {
    body: { json: { ...least, prices: [{ amount: 1, currency: 'eur' }] } },
  }),
  update('the price', '200', { body: { json: { price_amount: 9900, price_currency: 'usd' } } }),
  update('the amount without the currency', refused, { body: { json: { price_amount: 9900 } } }),
  update('the currency without the amount', refused, { body: { json: { price_currency: 'usd' } } }),
  read('with its new price', '200'),
  ...webhookSteps,
];
