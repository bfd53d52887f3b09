// The server behind the example: Node's standard library, and the newest version of the API only. Dateline has checked the
// caller's token, scopes and request. Who calls is in a token of Dateline's own, which is checked here.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const AUDIENCE = 'https://orders.example';
const PRICES = { umbrella: 1250, boots: 4900 };
const orders = new Map();
const keys = new Map();

class Refused extends Error {
  constructor(status, code, detail = '') {
    super(detail);
    Object.assign(this, { status, code });
  }
}

/** Who calls. The issuer is Dateline; its keys are published. */
async function claimsOf(request, { issuer, now }) {
  const [, token = ''] = (request.headers.authorization ?? '').split(' ');
  if (token === '') return {};
  const [head, body, signature] = token.split('.');
  const { kid, typ } = JSON.parse(Buffer.from(head, 'base64url'));
  const key = keys.get(kid) ?? (await fetchKey(issuer, kid));
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(body, 'base64url'));
  const fits =
    signed &&
    typ === 'at+jwt' &&
    claims.iss === issuer &&
    claims.aud === AUDIENCE &&
    claims.exp > now() / 1000;
  if (!fits) throw new Refused(401, 'unauthorized');
  return claims;
}

async function fetchKey(issuer, kid) {
  const answer = await fetch(`${issuer}/.well-known/jwks.json`);
  for (const key of (await answer.json()).keys) keys.set(key.kid, createPublicKey({ key, format: 'jwk' }));
  if (!keys.has(kid)) throw new Refused(401, 'unauthorized');
  return keys.get(kid);
}

function totalOf(lines) {
  const unknown = lines.find(({ sku }) => !(sku in PRICES));
  if (unknown) throw new Refused(422, 'unknown_sku', `There is no ${unknown.sku} to order.`);
  const cents = lines.reduce((sum, { sku, quantity }) => sum + PRICES[sku] * quantity, 0);
  return { amount: (cents / 100).toFixed(2), currency: 'EUR' };
}

function orderOf(id, organization) {
  const found = orders.get(`${organization} ${id}`);
  if (!found) throw new Refused(404, 'not_found', 'There is no such order.');
  return found;
}

const routes = {
  'GET orders': ({ organization, query }) => {
    const states = query.getAll('state');
    const own = [...orders]
      .filter(([key]) => key.startsWith(`${organization} `))
      .map(([, order]) => order)
      .reverse();
    const wanted = own.filter(({ state }) => states.length === 0 || states.includes(state));
    return [200, { items: wanted.slice(0, Number(query.get('limit') ?? 20)) }];
  },
  'POST orders': ({ organization, body }) => {
    const order = { id: `ord-${orders.size + 1}`, ...body, total: totalOf(body.lines), state: 'placed' };
    orders.set(`${organization} ${order.id}`, order);
    return [201, order];
  },
  'GET orders *': ({ id, organization }) => [200, orderOf(id, organization)],
  'POST orders * cancel': ({ id, organization }) => {
    const order = orderOf(id, organization);
    if (order.state === 'cancelled')
      throw new Refused(409, 'already_cancelled', 'The order was cancelled before.');
    return [200, Object.assign(order, { state: 'cancelled' })];
  },
  'GET orders * receipt': ({ id, organization }) => [
    200,
    orderOf(id, organization)
      .lines.map(({ sku, quantity }) => `${sku},${quantity}\n`)
      .join(''),
  ],
  'GET wishes': ({ claims }) => [200, { name: claims.sub, wishes: [{ name: 'A garden' }] }],
  'GET open-hours': () => [200, { days: 'Monday to Friday' }],
};

/** @param issuer The address of the Dateline environment that may call. */
export function createUpstream(issuer, now = Date.now) {
  return createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url, 'http://upstream');
    const [, name, id, ...rest] = pathname.split('/');
    const text = Buffer.concat(await request.toArray()).toString();
    const answer = async () => {
      const claims = await claimsOf(request, { issuer, now });
      const route = routes[[request.method, name, ...(id ? ['*'] : []), ...rest].join(' ')];
      if (!route) throw new Refused(404, 'not_found');
      return route({
        id,
        query,
        claims,
        organization: claims.organizations?.[0],
        body: text && JSON.parse(text),
      });
    };
    const [status, body] = await answer().catch(({ status = 500, code, message: detail }) => [
      status,
      { code, detail },
    ]);
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const [, file, port = '7101', issuer = 'http://127.0.0.1:4001'] = process.argv;
if (file === new URL(import.meta.url).pathname) {
  const server = createUpstream(issuer).listen(Number(port), '127.0.0.1', () => {
    process.stdout.write(`the upstream listens at http://127.0.0.1:${server.address().port}\n`);
  });
}
