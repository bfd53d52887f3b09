import type { Change, Json, UpgradableRequest } from '@dateline/versions';
import { onEveryProduct } from '../on-every-product.ts';

export const replacePriceWithPrices: Change = {
  name: 'replacePriceWithPrices',
  kind: 'changed',
  summary: 'A product has prices, a list of amount and currency, instead of price_amount and price_currency.',
  why: 'Products are sold in several currencies.',
  upgradeNote: 'Read and write prices[0] where you used price_amount and price_currency.',
  examples: [
    {
      before: {
        request: 'POST /v1/products/',
        body: { name: 'Support plan', price_amount: 4900, price_currency: 'eur' },
      },
      after: {
        request: 'POST /v1/products/',
        body: { name: 'Support plan', prices: [{ amount: 4900, currency: 'eur' }] },
      },
    },
    {
      before: {
        answerTo: 'GET /v1/products/{id}',
        status: 200,
        body: { name: 'Support plan', price_amount: 4900, price_currency: 'eur' },
      },
      after: {
        answerTo: 'GET /v1/products/{id}',
        status: 200,
        body: {
          name: 'Support plan',
          prices: [
            { amount: 4900, currency: 'eur' },
            { amount: 5200, currency: 'usd' },
          ],
        },
      },
    },
  ],
  touches: [
    'products:**.price_amount',
    'products:**.price_currency',
    'products:**.prices',
    'products:**.required',
    'products:update.body.schema.dependentRequired',
    'product.**.price_amount',
    'product.**.price_currency',
    'product.**.prices',
    'product.**.required',
  ],
  upgradeRequest: { 'products:create': upgradeNewPrice, 'products:update': upgradeChangedPrice },
  ...onEveryProduct(downgradePrices, [
    'products:create',
    'products:read',
    'products:update',
    'products:archive',
  ]),
};

function upgradeNewPrice(request: UpgradableRequest): UpgradableRequest {
  const { price_amount: amount, price_currency: currency, ...body } = request.body;
  return { ...request, body: { ...body, prices: [{ amount, currency }] } };
}

/** Sets the first price and leaves the others, of which this version knows nothing. */
function upgradeChangedPrice(request: UpgradableRequest): UpgradableRequest {
  const { price_amount: amount, price_currency: currency, ...body } = request.body;
  if (amount === undefined) return request;
  return { ...request, body, command: { ...request.command, setPrimaryPrice: { amount, currency } } };
}

function downgradePrices({ prices, ...product }: Json): Json {
  const [first] = prices as { amount: number; currency: string }[];
  return Object.assign(product, { price_amount: first?.amount, price_currency: first?.currency });
}
