import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { useTestService } from '../support/service/test-service.ts';

describeInBrowser('a console on a port of its own', (open) => {
  const service = useTestService(anyEngine, { DATELINE_SANDBOX_OPERATOR_PORT: '0' });
  const operators = () => service.operatorUrls.sandbox ?? '';

  async function keyNames(): Promise<string[]> {
    const response = await fetch(`${operators()}/operator/operator-keys`, {
      headers: { authorization: `Bearer ${service.quickstart.sandbox.operator_key}` },
    });
    if (!response.ok) throw new Error(await response.text());
    const { items } = (await response.json()) as { items: { name: string }[] };
    return items.map(({ name }) => name);
  }

  it('[outside2 4] is signed in to and used, and pages of the public port can do nothing with its session', async () => {
    const { page, problems } = await signInToConsole(open, {
      ...service,
      urls: { ...service.urls, sandbox: operators() },
      quickstart: service.quickstart,
    });
    await showInConsole(page, '/console/versions', 'Versions');
    const reference = page.getByRole('link', { name: 'reference', exact: true }).first();
    expect(await reference.getAttribute('href')).toMatch(`${service.urls.sandbox}/docs/`);
    expect(seriousOf(problems)).toEqual([]);
    const theft = `(async () => {
      const at = '${operators()}';
      const attempt = async (path, init) => {
        try { return (await fetch(at + path, { credentials: 'include', ...init })).type; } catch { return 'refused'; }
      };
      const body = JSON.stringify({ name: 'stolen', role: 'admin' });
      return [
        await attempt('/operator/me', {}),
        await attempt('/metrics', {}),
        await attempt('/operator/operator-keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
        await attempt('/operator/operator-keys', { method: 'POST', mode: 'no-cors', body }),
      ];
    })()`;
    // An answer of the public port without a policy of its own, as a page of the same host: the cookie goes along.
    await page.goto(`${service.urls.sandbox}/healthz`);
    expect(await page.evaluate(theft)).toEqual(['refused', 'refused', 'refused', expect.any(String)]);
    expect(await keyNames()).not.toContain('stolen');
    const refused = service.logLines.filter((line) => line.includes('"origin_refused"'));
    expect(refused.length).toBeGreaterThanOrEqual(3);
    await page.close();
  }, 60_000);
});
