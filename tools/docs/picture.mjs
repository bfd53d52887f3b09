import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';

const WIDTH = 1100;

/**
 * Takes a picture of the console's first screen: the versions, the next release, and what needs attention.
 * @param {{ url: string, quickstart: any, at: Date, executablePath: string }} service with the path of Chromium
 */
export async function consolePicture({ url, quickstart, at, executablePath }) {
  const operate = operatorOf(url, quickstart.operator_key);
  const current = await seedRequests(url, operate);
  const receiver = createServer((_request, response) => response.writeHead(503).end());
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  try {
    const headers = { authorization: `Bearer ${quickstart.access_token}`, 'service-version': current };
    await failDelivery({ url, operate, headers, port: receiver.address().port });
    return await photograph({ url, key: quickstart.operator_key, at, executablePath });
  } finally {
    receiver.close();
  }
}

/** Four clients: one per version, and one that names none. Returns the name of Current. */
async function seedRequests(url, operate) {
  const { versions } = await answerOf(fetch(`${url}/versions`));
  const [deprecated, current, next] = versions.map(({ version }) => version).toSorted();
  const clients = [
    ['Warehouse sync', deprecated, 12],
    ['Price importer', undefined, 31],
    ['Shop front', current, 118],
    ['Support desk', next, 24],
  ];
  for (const [name, version, count] of clients) {
    const { id: organization } = await operate('/operator/organizations', { name });
    const client = await operate('/operator/clients', {
      organization_id: organization,
      name,
      kind: 'confidential',
    });
    const form = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.client_secret,
    };
    const named = version ? { 'service-version': version } : {};
    const body = new URLSearchParams(form);
    const { access_token: token } = await answerOf(
      fetch(`${url}/v1/oauth2/token`, { method: 'POST', body, headers: named }),
    );
    const headers = { authorization: `Bearer ${token}`, ...named };
    for (let sent = 1; sent < count; sent += 1) await answerOf(fetch(`${url}/v1/products/`, { headers }));
  }
  return current;
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
      deviceScaleFactor: 2,
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
