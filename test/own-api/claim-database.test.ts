import { expect, it } from 'vitest';
import { claimDatabase } from '../../src/api/folder/claim-database.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import { refuseClaimedAudience } from '../../src/oauth/clients/clients/audiences.ts';
import { createClient } from '../../src/oauth/clients/clients/clients.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

onEmbeddedFirst('the database of an API folder', (engine) => {
  const environments = useTestEnvironments(engine);
  const orders = { id: 'a', title: 'Orders' };
  const claim = (folder: typeof orders | null, adopts = false) =>
    claimDatabase(environments.sandbox, folder, { adopts });

  it('is that of the first one, and of no other unless the operator says so', async () => {
    await claim(null);
    await claim(orders);
    await claim({ ...orders, title: 'Orders, renamed' });
    await expect(claim({ id: 'b', title: 'Bills' })).rejects.toThrow(
      'serves the API "Orders, renamed", and another folder, "Bills" is named; name its folder with --api, or add --adopt',
    );
    await expect(claim(null)).rejects.toThrow('no API folder is named');
    await claim({ id: 'b', title: 'Bills' }, true);
    await expect(claim(orders)).rejects.toThrow('"Bills"');
    await claim(null, true);
    await claim(orders);
  });

  it('stays that of its folder where this cannot be written, and the start fails', async () => {
    const { database } = environments.sandbox;
    await claim(orders);
    for (const [name, text] of [
      [
        'refuse',
        `create function {schema}.refuse() returns trigger language plpgsql as 'begin raise ''full''; end'`,
      ],
      [
        'trigger',
        'create trigger refuse before delete on {schema}.own_api execute function {schema}.refuse()',
      ],
    ] as const)
      await database.run(statement(name, text), []);
    await expect(claim(null, true)).rejects.toThrow('full');
    await database.run(statement('remove_refusal', 'drop function {schema}.refuse cascade'), []);
    await expect(claim(null)).rejects.toThrow('"Orders"');
  });

  it('has no client that tokens for the upstream could be meant for', async () => {
    const { sandbox } = environments;
    const organization = await createOrganization(sandbox, { name: 'Shop' });
    const client = await createClient(sandbox, {
      organizationId: organization.id,
      name: 'A resource server',
      kind: 'resource_server',
      allowedGrants: [],
      scopes: [],
      redirectUris: [],
      audiences: ['https://orders.example'],
    });
    for (const audience of ['https://orders.example', client.id])
      await expect(refuseClaimedAudience(sandbox, audience)).rejects.toThrow(
        `The audience of the upstream, ${audience}, is that of a client in sandbox`,
      );
    await refuseClaimedAudience(sandbox, 'https://bills.example');
  });
});
