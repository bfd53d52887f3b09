// The server behind the API folder: takes orders, and writes the note of each into a file before it answers. Run by
// start-upstream.ts as `node upstream-process.mjs <port> <file>`, so that it can be killed and frozen.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , port, file] = process.argv;
/** What it does instead of answering well. */
let mode = 'well';
let taken = 0;

createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  if (request.url === '/mode') {
    mode = text;
    return response.end();
  }
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.method !== 'POST') return misbehave(response, () => answer(200, { items: [] }));
  const order = JSON.parse(text);
  appendFileSync(file, `${order.note}\n`);
  taken += 1;
  const total = { amount: '12.50', currency: 'EUR' };
  misbehave(response, () => answer(201, { id: `ord-${taken}`, ...order, total, state: 'placed' }));
}).listen(Number(port), '127.0.0.1');

function misbehave(response, answerWell) {
  switch (mode) {
    case 'slow':
      return setTimeout(answerWell, 1_200);
    case 'error':
      response.writeHead(500, { 'content-type': 'application/json' });
      return response.end('{"code":"broken","detail":"On purpose."}');
    case 'cut':
      return response.destroy();
    case 'torn':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"items":');
      return setTimeout(() => response.destroy(), 20);
    case 'hang':
      return undefined;
    default:
      return answerWell();
  }
}
