/** @typedef {import('@dateline/versions').Json} Json */

/** @param {Json} order @returns {Json} */
const downgradeOrder = ({ total, ...order }) => ({
  ...order,
  total_cents: Math.round(Number(/** @type {Json} */ (total).amount) * 100),
});

/** @type {import('@dateline/versions').Change} */
const replaceCentsWithTotal = {
  name: 'replaceCentsWithTotal',
  kind: 'changed',
  summary: 'An order has a total with its currency, instead of total_cents.',
  why: 'Not every currency has cents.',
  upgradeNote: 'Read total.amount where you read total_cents; it is a decimal.',
  examples: [
    {
      before: { answerTo: 'GET /orders/{id}', status: 200, body: { total_cents: 2500 } },
      after: {
        answerTo: 'GET /orders/{id}',
        status: 200,
        body: { total: { amount: '25.00', currency: 'EUR' } },
      },
    },
  ],
  touches: [
    'orders:**.total',
    'orders:**.total_cents',
    'orders:**.required',
    'order.**.total',
    'order.**.total_cents',
    'order.**.required',
  ],
  downgradeResponse: {
    'orders:list': (body) => ({ ...body, items: /** @type {Json[]} */ (body.items).map(downgradeOrder) }),
    'orders:create': downgradeOrder,
    'orders:read': downgradeOrder,
    'orders:cancel': downgradeOrder,
  },
  downgradeEvent: {
    'order.placed': ({ kind, data }) => ({ kind, data: downgradeOrder(data) }),
    'order.cancelled': ({ kind, data }) => ({ kind, data: downgradeOrder(data) }),
  },
};

export const changes = [replaceCentsWithTotal];
