import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { deprecated, next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

/** What a page does with the client: reads, creates, fails and verifies a webhook. It returns what it has seen. */
const journey = `
import { Dateline, NotFoundError } from '${resolve(`client/src/${next}/index.ts`)}';
import { Dateline as Older } from '${resolve(`client/src/${deprecated}/index.ts`)}';
import { signWebhookForTest, verifyWebhook } from '${resolve(`client/src/${next}/webhooks.ts`)}';

globalThis.journey = async ({ newProduct, ...options }) => {
  const client = new Dateline(options);
  const { id } = await client.products.create(newProduct);
  const found = [];
  for await (const product of client.products.list({ limit: 1 })) found.push(product.id);
  const missing = await client.products.get('prd_missing').catch((error) => error);
  const notices = [];
  await new Older({ ...options, onDeprecation: (notice) => notices.push(notice) }).products.list();
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signed = await signWebhookForTest({ type: 'organization.updated', data: {}, secret });
  const { api_version } = await verifyWebhook({ ...signed, secret });
  const forged = await verifyWebhook({ ...signed, body: signed.body + ' ', secret }).catch((error) => error.name);
  return {
    isFound: found.includes(id),
    missing: [missing instanceof NotFoundError, missing.status, typeof missing.requestId],
    deprecated: notices.map(({ apiVersion, sunsetAt }) => [apiVersion, sunsetAt instanceof Date]),
    webhook: [api_version, forged],
  };
};
`;

describeInBrowser('the client library in a browser', (open) => {
  const service = useTestService(anyEngine);
  let site: Server;
  let origin: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-page-'));
    writeFileSync(join(folder, 'entry.mjs'), journey);
    const { output } = await build({ input: join(folder, 'entry.mjs'), write: false, platform: 'browser' });
    rmSync(folder, { recursive: true });
    const script = output.map((part) => ('code' in part ? part.code : '')).join('');
    site = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`),
    );
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => site.close());

  it('works from a page of another origin, with what browsers provide', async () => {
    const { page, problems } = await open(origin);
    await page.goto('/');
    const options = {
      newProduct,
      baseUrl: service.urls.sandbox,
      accessToken: service.quickstart.sandbox.access_token,
    };
    // The stack of the error names no file of this machine.
    const seen = await page.evaluate(
      (said) => (globalThis as never as Page).journey(said).catch((error: unknown) => String(error)),
      options,
    );
    expect(seen).toEqual({
      isFound: true,
      missing: [true, 404, 'string'],
      deprecated: [[deprecated, true]],
      webhook: [next, 'WebhookSignatureError'],
    });
    // It calls the service and no other host. Chromium logs each 404 by itself.
    const elsewhere = problems.filter(
      (text) => !text.includes(`${service.urls.sandbox}/v1/`) && !text.includes('status of 404'),
    );
    expect(elsewhere).toEqual([]);
    await page.close();
  });
});

interface Page {
  journey(options: object): Promise<unknown>;
}
