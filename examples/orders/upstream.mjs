// The server behind the example: Node's standard library, and the newest version of the API only. Dateline has checked the
// caller's token, scopes and request. Who calls is in a token of Dateline's own, which is checked here.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const AUDIENCE = 'https://orders.example';
const PRICES = { umbrella: 1250, boots: 4900 };
const orders = new Map();
const keys = new Map();

const refused = (status, code, detail = '') => Object.assign(new Error(detail), { status, code });
const decoded = (part) => JSON.parse(Buffer.from(part, 'base64url'));

/** Who calls; nobody where anyone may. The issuer is Dateline; its keys are published. */
async function claimsOf({ headers: { authorization = '' } }, { issuer, now }) {
  const [, token] = authorization.split(' ');
  if (!token) return {};
  const [head, body, signature] = token.split('.');
  const { kid, typ } = decoded(head);
  const key = keys.get(kid) ?? (await fetchKey(issuer, kid));
  const bytes = [Buffer.from(`${head}.${body}`), Buffer.from(signature, 'base64url')];
  const isGenuine = verify('sha256', bytes[0], { key, dsaEncoding: 'ieee-p1363' }, bytes[1]);
  const claims = decoded(body);
  const isForUs = claims.iss === issuer && claims.aud === AUDIENCE && claims.exp > now() / 1000;
  if (!isGenuine || typ !== 'at+jwt' || !isForUs) throw refused(401, 'unauthorized');
  return claims;
}

async function fetchKey(issuer, kid) {
  const { keys: published } = await (await fetch(`${issuer}/.well-known/jwks.json`)).json();
  for (const key of published) keys.set(key.kid, createPublicKey({ key, format: 'jwk' }));
  if (!keys.has(kid)) throw refused(401, 'unauthorized');
  return keys.get(kid);
}

function totalOf(lines) {
  const unknown = lines.find(({ sku }) => !(sku in PRICES));
  if (unknown) throw refused(422, 'unknown_sku', `There is no ${unknown.sku} to order.`);
  const cents = lines.reduce((sum, { sku, quantity }) => sum + PRICES[sku] * quantity, 0);
  return { amount: (cents / 100).toFixed(2), currency: 'EUR' };
}

function orderOf({ id, owner }) {
  const found = orders.get(id);
  if (found?.owner !== owner) throw refused(404, 'not_found', 'There is no such order.');
  return found.order;
}

const routes = {
  'GET orders': ({ owner, query }) => {
    const own = [...orders.values()].filter((one) => one.owner === owner).map(({ order }) => order);
    const states = query.getAll('state');
    const wanted = own.filter(({ state }) => states.length === 0 || states.includes(state));
    return [200, { items: wanted.reverse().slice(0, Number(query.get('limit') ?? 20)) }];
  },
  'POST orders': ({ owner, body }) => {
    const order = { id: `ord-${orders.size + 1}`, ...body, total: totalOf(body.lines), state: 'placed' };
    orders.set(order.id, { owner, order });
    return [201, order];
  },
  'GET orders *': (call) => [200, orderOf(call)],
  'POST orders * cancel': (call) => {
    const order = orderOf(call);
    if (order.state === 'cancelled')
      throw refused(409, 'already_cancelled', 'The order was cancelled before.');
    return [200, Object.assign(order, { state: 'cancelled' })];
  },
  'GET orders * receipt': (call) => {
    const lines = orderOf(call).lines.map(({ sku, quantity }) => `${sku},${quantity}\n`);
    return [200, lines.join('')];
  },
  'GET wishes': ({ claims }) => [200, { name: claims.sub, wishes: [{ name: 'A garden' }] }],
  'GET open-hours': () => [200, { days: 'Monday to Friday' }],
};

/** The issuer is the address of the Dateline environment that may call. */
export function createUpstream(issuer, now = Date.now) {
  return createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const answer = async () => {
      const { pathname, searchParams: query } = new URL(request.url, 'http://upstream');
      const [, name, id, ...rest] = pathname.split('/');
      const route = routes[[request.method, name, ...(id ? ['*'] : []), ...rest].join(' ')];
      const claims = await claimsOf(request, { issuer, now });
      if (!route) throw refused(404, 'not_found');
      return route({ id, query, claims, owner: claims.organizations?.[0], body: text && JSON.parse(text) });
    };
    const problem = ({ status = 500, code, message: detail }) => [status, { code, detail }];
    const [status, body] = await answer().catch(problem);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/csv' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  });
}

const [, file, port = '7101', issuer = 'http://127.0.0.1:4001'] = process.argv;
if (file === new URL(import.meta.url).pathname) createUpstream(issuer).listen(Number(port), '127.0.0.1');
