import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

describeInLongRuns('simple-oauth2, with its defaults', () => {
  const { addClient, comeBack, callback, isActive } = useReleasedService();

  it('gets a token for a client itself, and revokes it', async () => {
    const client = await addClient();
    const { forItself } = await runBlock('simple-oauth2', client);
    const held = await forItself.getToken({ scope: 'products:read' });
    expect(await isActive(held.token.access_token, client)).toBe(true);
    await held.revoke('access_token');
    expect(await isActive(held.token.access_token, client)).toBe(false);
  });

  it('signs a person in without PKCE, refreshes, and revokes all', async () => {
    const client = await addClient({ requiresPkce: false });
    const { forPeople } = await runBlock('simple-oauth2', client);
    const asked = { redirect_uri: callback, scope: 'products:read', state: 'kept' };
    const back = await comeBack(forPeople.authorizeURL(asked));
    const held = await forPeople.getToken({ code: back.searchParams.get('code'), redirect_uri: callback });
    const refreshed = await held.refresh();
    expect(await isActive(refreshed.token.access_token, client)).toBe(true);
    await refreshed.revokeAll();
    expect(await isActive(refreshed.token.access_token, client)).toBe(false);
    expect(await isActive(refreshed.token.refresh_token, client)).toBe(false);
  });
});
