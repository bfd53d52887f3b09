import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { axeFindings, seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

describeInBrowser('a leak reported in the console', (open) => {
  const service = useTestService(anyEngine);
  const operator = operatorCalls(service);

  it('[who broke] is revoked; the report says what each was, and nothing repeats it', async () => {
    const { access, credentials, client } = await createCaller(service);
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/tokens', 'Tokens');
    await page.getByRole('button', { name: 'Report a leak' }).click();
    const dialog = page.getByRole('dialog');
    const secrets = [access.tokenValue, credentials.client_secret];
    await dialog.getByLabel('What was found').fill([...secrets, 'nothing-of-ours'].join('\n'));
    await dialog.getByLabel('Where it was found').fill('a public repository');
    await dialog.getByRole('button', { name: 'Report a leak' }).click();
    const rows = dialog.getByRole('table', { name: 'What was done' }).getByRole('row');
    await rows.nth(3).waitFor();
    expect(await rows.nth(1).innerText()).toMatch(/1\s+access token\s+revoked now\s+its token of its client/);
    expect(await rows.nth(2).innerText()).toMatch(/2\s+client secret\s+revoked now\s+its client/);
    expect(await rows.nth(3).innerText()).toMatch(/3\s+not known\s+unknown here/);
    expect(await axeFindings(page)).toEqual([]);
    for (const secret of secrets) expect(await page.content()).not.toContain(secret);
    const explained = await operator.post('/operator/tokens/explain', { token: access.tokenValue });
    expect(explained.body).toMatchObject({ state: 'revoked', reason: 'reported as leaked' });
    const { body: log } = await operator.get(`/operator/audit?client_id=${client.id}&action=leak.reported`);
    expect(log.items.map(({ details }: { details: unknown }) => details)).toEqual([
      expect.objectContaining({ source: 'a public repository', kind: 'client_secret' }),
      expect.objectContaining({ source: 'a public repository', kind: 'access_token' }),
    ]);
    await dialog.getByRole('link', { name: 'its token' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('reported as leaked').first().waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] forgets what was typed when it is cancelled, and is not there for a viewer', async () => {
    const { page } = await signInToConsole(open, service);
    await showInConsole(page, '/console/tokens', 'Tokens');
    await page.getByRole('button', { name: 'Report a leak' }).click();
    const found = page.getByRole('dialog').getByLabel('What was found');
    await found.fill(service.quickstart.sandbox.access_token);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('');
    await page.close();
    const { operator_key: key } = (
      await operator.post('/operator/operator-keys', { name: 'reads', role: 'viewer' })
    ).body;
    const { page: viewed } = await signInToConsole(open, service, key);
    await showInConsole(viewed, '/console/tokens', 'Tokens');
    expect(await viewed.getByRole('button', { name: 'Report a leak' }).count()).toBe(0);
    await viewed.close();
  });
});
