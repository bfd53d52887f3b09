import { expect } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { consoleScreens, seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

/** What would do something wherever text is taken for markup. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

describeInBrowser('hostile text in the console', (open) => {
  const { service, endpoint, createProduct, attempted } = useDeliveries(anyEngine);

  /** Wherever an outsider, or an operator, can leave text. Answers with the views of it. */
  async function leaveText(): Promise<string[]> {
    const { get, post } = operatorCalls(service);
    const { body: organization } = await post('/operator/organizations', { name: HOSTILE });
    const { body: client } = await post('/operator/clients', {
      organization_id: organization.id,
      name: HOSTILE,
      kind: 'confidential',
      redirect_uris: ['https://app.example/?x=%3Cscript%3E'],
    });
    const { body: user } = await post('/operator/users', {
      name: HOSTILE,
      email: '<script>@example.com',
      password: 'correct horse battery staple',
    });
    await post(`/operator/organizations/${organization.id}/members`, { user_id: user.id });
    await post('/operator/operator-keys', { name: HOSTILE, role: 'viewer' });
    const subscribed = await endpoint(
      { events: ['product.created'], description: HOSTILE },
      (_request, response) =>
        response.writeHead(500, { 'x-hostile': '<script>document.title=1</script>' }).end(HOSTILE),
    );
    await createProduct({ name: HOSTILE, description: HOSTILE, metadata: { note: HOSTILE } });
    await attempted(subscribed, 1);
    const { access_token: token } = service.quickstart.sandbox;
    await service.call('sandbox', '/v1/products/<script>', {
      headers: { authorization: `Bearer ${token}`, 'user-agent': HOSTILE, 'service-version': '<script>' },
    });
    const { body: explained } = await post('/operator/tokens/explain', { token });
    await post(`/operator/tokens/${explained.token.id}/revoke`, { reason: HOSTILE });
    await post('/operator/release/run', { reason: HOSTILE, outside_window: true });
    await post('/operator/release/undo', { reason: HOSTILE, outside_window: true });
    const events = await get(`/operator/webhooks/events?endpoint_id=${subscribed.id}`);
    return [
      ...consoleScreens.map(([path]) => path),
      `/console/clients?search=${encodeURIComponent(HOSTILE)}`,
      `/console/clients/${client.id}`,
      `/console/tokens?id=${explained.token.id}`,
      `/console/people/organizations/${organization.id}`,
      `/console/people/users/${user.id}`,
      `/console/webhooks/endpoints/${subscribed.id}`,
      `/console/webhooks/events/${events.body.items[0].id}`,
    ];
  }

  itInLongRuns(
    '[console] is shown as text, whatever it says, on every screen',
    async () => {
      const views = await leaveText();
      const { page, problems } = await signInToConsole(open, service);
      let seen = 0;
      for (const path of views) {
        await showInConsole(page, path);
        for (const attempt of await page.locator('details summary').all()) await attempt.click();
        expect([path, await page.title()]).toEqual([path, expect.stringContaining('console')]);
        expect([path, await page.locator('#console script, #console img').count()]).toEqual([path, 0]);
        if ((await page.locator('#console').innerText()).includes('<script>')) seen += 1;
      }
      // It did get as far as the screens.
      expect(seen).toBeGreaterThanOrEqual(8);
      expect(seriousOf(problems)).toEqual([]);
      await page.close();
    },
    240_000,
  );
});
