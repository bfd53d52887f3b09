import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('the scopes that clients may have', () => {
  const service = useTestService(anyEngine);

  it('[who broke] are listed with what each allows, and each is accepted for a client', async () => {
    const { get, createClient } = operatorCalls(service);
    const { items } = (await get('/operator/scopes')).body as { items: { name: string }[] };
    expect(items).toContainEqual({
      name: 'products:read',
      description: 'See products',
      about_people: false,
    });
    expect(items).toContainEqual({
      name: 'email',
      description: 'See your email address',
      about_people: true,
    });
    const names = items.map(({ name }) => name);
    const redirect_uris = ['https://example.com/callback'];
    const made = await createClient({ scopes: names, redirect_uris });
    expect(made.scopes.toSorted()).toEqual(names.toSorted());
    const { out } = await runCommandLine(['scope', 'list'], operatorSettings(service));
    for (const name of names) expect(out).toContain(name);
  });

  it('[who broke] a client without any gets tokens that may do nothing', async () => {
    const { id, client_secret, scopes } = await operatorCalls(service).createClient({ scopes: [] });
    expect(scopes).toEqual([]);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret });
    const issued = await service.call('sandbox', '/v1/oauth2/token', { method: 'POST', body });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const answer = await service.call('sandbox', '/v1/products/', {
      headers: { authorization: `Bearer ${token}`, 'service-version': next },
    });
    expect([issued.status, answer.status]).toEqual([200, 403]);
  });
});
