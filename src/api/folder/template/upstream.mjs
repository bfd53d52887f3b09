// A server to begin with: it answers the newest version of the API, from memory. Replace it by yours, in any language.
// It gets no token of a caller: Dateline has checked that, and says who calls in a token of its own.
import { createServer } from 'node:http';

const orders = new Map();

const answers = {
  'GET /orders': ({ query }) => [
    200,
    { items: [...orders.values()].slice(-Number(query.get('limit') ?? 20)) },
  ],
  'POST /orders': ({ body }) => {
    const order = { id: `ord-${orders.size + 1}`, ...body, state: 'placed' };
    orders.set(order.id, order);
    return [201, order];
  },
  'GET /orders/:id': ({ id }) => (orders.has(id) ? [200, orders.get(id)] : [404, { code: 'not_found' }]),
  'POST /orders/:id/refund': ({ id }) => {
    const order = orders.get(id);
    if (!order) return [404, { code: 'not_found' }];
    if (order.state === 'refunded')
      return [409, { code: 'already_refunded', detail: 'It was paid back before.' }];
    return [200, Object.assign(order, { state: 'refunded' })];
  },
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url, 'http://upstream');
  const [, , id, ...rest] = pathname.split('/');
  const route = `${request.method} ${['/orders', ...(id ? [':id'] : []), ...rest].join('/')}`;
  const text = Buffer.concat(await request.toArray()).toString();
  const [status, body] = answers[route]?.({ id, query, body: text && JSON.parse(text) }) ?? [
    404,
    { code: 'not_found' },
  ];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(process.argv[2] ?? 7101), '127.0.0.1', () => {
  process.stdout.write(`the upstream listens at http://127.0.0.1:${server.address().port}\n`);
});
