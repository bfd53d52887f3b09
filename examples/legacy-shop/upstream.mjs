// The server of the legacy shop, in memory: `node upstream.mjs 7101`. It answers what swagger.json says.
import { createServer } from 'node:http';

const orders = [];

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  const path = pathname.replace(/^\/api\/v4/, '');
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  let text = '';
  for await (const chunk of request) text += chunk;
  if (path === '/health') return send(200, { status: 'well' });
  if (path === '/orders' && request.method === 'GET') return send(200, orders);
  if (path === '/orders' && request.method === 'POST') {
    const order = { ...JSON.parse(text), id: `ord-${orders.length + 1}`, state: 'placed' };
    orders.push(order);
    return send(201, order);
  }
  const order = orders.find(({ id }) => path === `/orders/${id}`);
  return order ? send(200, order) : send(404, { error: 'not_found' });
});

server.listen(Number(process.argv[2] ?? 7101), '127.0.0.1', () => {
  process.stdout.write(`The shop answers at http://127.0.0.1:${server.address().port}/api/v4\n`);
});
