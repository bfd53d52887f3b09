import type { Change, Json } from '@dateline/versions';

interface Line {
  sku: string;
  quantity: number;
}

/** An older version has one line, and nothing of the note. */
function downgradeOrder({ lines, note: _note, ...order }: Json): Json {
  const [first] = lines as [Line, ...Line[]];
  return { ...order, item: first.sku, quantity: first.quantity };
}

const downgradeBody = (body: Json): Json => downgradeOrder(body);

export const replaceItemWithLines: Change = {
  name: 'replaceItemWithLines',
  kind: 'changed',
  summary: 'An order has a list of lines and a note, instead of one item with a quantity.',
  why: 'Most customers order more than one thing.',
  upgradeNote: 'Send lines with one line where you sent item and quantity, and read lines[0].',
  examples: [
    {
      before: { answerTo: 'GET /orders/{id}', status: 200, body: { item: 'umbrella', quantity: 2 } },
      after: {
        answerTo: 'GET /orders/{id}',
        status: 200,
        body: { lines: [{ sku: 'umbrella', quantity: 2 }] },
      },
    },
  ],
  touches: [
    'orders:**.item',
    'orders:**.quantity',
    'orders:**.lines',
    'orders:**.note',
    'orders:**.required',
    'order.**.item',
    'order.**.quantity',
    'order.**.lines',
    'order.**.note',
    'order.**.required',
  ],
  upgradeRequest: {
    'orders:create': ({ body: { item, quantity, ...body } }) => ({
      body: { ...body, lines: [{ sku: item, quantity }] },
    }),
  },
  downgradeResponse: {
    'orders:list': (body) => ({ ...body, items: (body.items as Json[]).map(downgradeOrder) }),
    'orders:create': downgradeBody,
    'orders:read': downgradeBody,
    'orders:cancel': downgradeBody,
  },
  downgradeEvent: {
    'order.placed': ({ kind, data }) => ({ kind, data: downgradeOrder(data) }),
    'order.cancelled': ({ kind, data }) => ({ kind, data: downgradeOrder(data) }),
  },
};
