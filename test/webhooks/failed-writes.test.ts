import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { ENDPOINTS, useWebhooks } from '../support/webhooks/webhooks.ts';

onPostgresFirst('a change that cannot be written', (engine) => {
  const { service, ask, endpoint, sandbox } = useWebhooks(engine);

  /** Lets the database refuse one kind of statement while the work is done. */
  async function refusing(what: string, table: string, work: () => Promise<unknown>): Promise<void> {
    const { database } = await sandbox();
    const run = (sql: string) => runAsAdmin(database, sql);
    await run(
      `create or replace function {schema}.refuse() returns trigger language plpgsql as $$begin raise exception 'refused'; end$$`,
    );
    await run(
      `create trigger refused before ${what} on {schema}.${table} execute function {schema}.refuse()`,
    );
    try {
      await work();
    } finally {
      await run(`drop trigger refused on {schema}.${table}`);
    }
  }

  const operator = operatorCalls(service);
  const operate = async (path: string): Promise<number> => (await operator.post(`/operator/${path}`)).status;

  it('is an error, and is not made: the secrets of an endpoint', async () => {
    const { id } = await endpoint();
    await refusing('delete', 'webhook_secrets', async () => {
      expect((await ask(next, 'POST', `${ENDPOINTS}/${id}/rotate-secret`)).status).toBe(500);
    });
    expect((await ask(next, 'POST', `${ENDPOINTS}/${id}/rotate-secret`)).status).toBe(200);
  });

  it('is an error, and is not made: what an operator allows without an entry in the audit log', async () => {
    const { id } = await endpoint();
    expect(await operate(`webhooks/endpoints/${id}/disable`)).toBe(200);
    await refusing('insert', 'audit_log', async () => {
      expect(await operate(`webhooks/endpoints/${id}/enable`)).toBe(500);
    });
    expect(await operate(`webhooks/endpoints/${id}/enable`)).toBe(200);
  });

  it('is an error, and is not made: a client that is to be disabled', async () => {
    const { id } = await operator.createClient();
    await refusing('update', 'oauth_clients', async () => {
      expect(await operate(`clients/${id}/disable`)).toBe(500);
    });
    expect((await operator.get(`/operator/clients/${id}`)).body.disabled_at).toBeNull();
  });
});
