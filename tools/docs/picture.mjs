import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';

const WIDTH = 1280;
const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes a picture of the console's first screen: the versions and their requests, the next release, and what needs attention.
 * @param {{ url: string, quickstart: any, at: Date, moveTo(at: Date): Promise<void>, executablePath: string }} service with the
 * path of Chromium
 */
export async function consolePicture({ url, quickstart, at, moveTo, executablePath }) {
  const operate = operatorOf(url, quickstart.operator_key);
  const clients = await createClients(url, operate);
  const owner = { url, id: quickstart.client_id, secret: quickstart.client_secret };
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    const day = new Date(at.getTime() - ago * DAY_MS);
    await moveTo(day);
    await untilIssuedAt(day, owner, operate);
    for (const client of clients) await callAs(client, DAYS - ago);
  }
  const receiver = createServer((_request, response) => response.writeHead(503).end());
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  try {
    await failDelivery({ url, operate, headers: await headersOf(owner), port: receiver.address().port });
    return await photograph({ url, key: quickstart.operator_key, at, executablePath });
  } finally {
    receiver.close();
  }
}

/** One per version, and one that names none; with the number of its calls on each day of the month. */
async function createClients(url, operate) {
  const { versions } = await answerOf(fetch(`${url}/versions`));
  const [deprecated, current, next] = versions.map(({ version }) => version).toSorted();
  const weekly = (day, count) => Math.round(count * (day % 7 > 4 ? 0.4 : 1));
  const clients = [
    ['Warehouse sync', deprecated, (day) => weekly(day, 26 - day * 0.6)],
    ['Price importer', undefined, (day) => 5 + (day % 3)],
    ['Shop front', current, (day) => weekly(day, 30 + day * 0.3 + (day % 4) * 2)],
    ['Support desk', next, (day) => Math.max(0, Math.round((day - 12) * 0.9))],
  ];
  return Promise.all(
    clients.map(async ([name, version, callsOn]) => {
      const { id: organization } = await operate('/operator/organizations', { name });
      const made = { organization_id: organization, name, kind: 'confidential' };
      const { id, client_secret: secret } = await operate('/operator/clients', made);
      return { url, id, secret, version, callsOn };
    }),
  );
}

/** What issues tokens follows a clock that jumps within a second or two. */
async function untilIssuedAt(day, owner, operate) {
  for (;;) {
    const { authorization } = await headersOf(owner);
    const { token } = await operate('/operator/tokens/explain', { token: authorization.split(' ')[1] });
    if (new Date(token.issued_at) >= day) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function callAs(client, day) {
  const calls = client.callsOn(day);
  if (calls === 0) return;
  const headers = await headersOf(client);
  for (let sent = 1; sent < calls; sent += 1)
    await answerOf(fetch(`${client.url}/v1/products/`, { headers }));
}

async function headersOf({ url, id, secret, version }) {
  const named = version ? { 'service-version': version } : {};
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const init = { method: 'POST', body: new URLSearchParams(form), headers: named };
  const { access_token: token } = await answerOf(fetch(`${url}/v1/oauth2/token`, init));
  return { authorization: `Bearer ${token}`, ...named };
}

/** A webhook endpoint whose receiver is down, and an event for it. */
async function failDelivery({ url, operate, headers, port }) {
  const post = (path, body) =>
    answerOf(
      fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const { id } = await post('/v1/webhooks/endpoints', {
    url: `http://127.0.0.1:${port}/`,
    events: ['product.created'],
  });
  await post(`/v1/webhooks/endpoints/${id}/test`, { type: 'product.created' });
  while ((await operate('/operator/webhooks/queue')).failing === 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

async function photograph({ url, key, at, executablePath }) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: 800 },
      deviceScaleFactor: 1.4,
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await page.clock.setFixedTime(at);
    await page.goto(`${url}/console`);
    await page.getByLabel('Operator key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const below = await page.getByRole('heading', { name: 'Now' }).boundingBox();
    return await page.screenshot({ clip: { x: 0, y: 0, width: WIDTH, height: Math.floor(below.y) } });
  } finally {
    await browser.close();
  }
}

function operatorOf(url, key) {
  return (path, body) =>
    answerOf(
      fetch(url + path, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      }),
    );
}

async function answerOf(sent) {
  const answer = await sent;
  if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
