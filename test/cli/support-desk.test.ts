import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { current, next } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { callAs, useDeliveries } from '../support/webhooks/deliveries.ts';

describe('commands of the support desk', () => {
  const { service, call, endpoint, createProduct, attempted, received, settled } = useDeliveries(anyEngine);
  const cli = (...args: string[]) => runCommandLine(args, operatorSettings(service));
  const json = async (...args: string[]) => {
    const { out, err } = await cli(...args, '--json');
    expect(err).toBe('');
    return JSON.parse(out);
  };

  it('[who broke] show where a webhook is, and send it again', async () => {
    const subscribed = await endpoint(
      { events: ['product.created'], api_version: current },
      (_request, response) => response.writeHead(200, { 'x-seen': 'yes' }).end('thanks'),
    );
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    expect((await cli('event', 'list', '--endpoint', subscribed.id)).out).toMatch(
      new RegExp(`${id} +product\\.created +delivered +1 `),
    );
    expect(await json('event', 'list', '--endpoint', subscribed.id, '--state', 'held')).toEqual([]);
    expect(await json('event', 'show', id)).toMatchObject({ id, payload: firstBody(subscribed) });
    expect((await cli('event', 'show', id)).out).toContain(`\n\n${firstBody(subscribed)}\n`);
    const [attempt] = await json('event', 'attempts', id);
    expect(attempt).toMatchObject({ status: 200, answer: 'thanks', answer_headers: { 'x-seen': 'yes' } });
    expect((await cli('event', 'attempts', id)).out).toMatch(/ 200 +- +\d+ +thanks$/m);
    expect(await json('event', 'redeliver', id)).toMatchObject({ id, state: 'pending' });
    await received(subscribed, 2);
    const preview = await cli('event', 'preview', id, '--api-version', next);
    expect(preview.out).toMatch(new RegExp(`^In ${current}:\n{.*}\nIn ${next}:\n{.*}\n`));
    expect((await cli('event', 'preview', id, '--api-version', '1999-01')).err).toContain(
      'api_version must be one of',
    );
    expect((await cli('event', 'show', 'evt_no')).err).toContain('There is no');
  });

  it('[who broke] show names beside ids, and the last failure in words; --json has them apart', async () => {
    const { client_id, organization_id } = service.quickstart.sandbox;
    const failing = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(503).end(),
    );
    await createProduct();
    await attempted(failing, 1);
    const failure = '503: It answered with an error \\(\\S+Z\\)';
    const organization = `\\S[^()]* \\(${organization_id}\\)`;
    const lists = [
      ['webhook', 'list', '--search', failing.id],
      ['event', 'list', '--endpoint', failing.id],
    ];
    for (const command of lists) {
      const { out } = await cli(...command);
      expect(out).toMatch(new RegExp(failure));
      expect(out).toMatch(new RegExp(organization));
      const [listed] = await json(...command);
      expect(listed).toMatchObject({ organization_id, last_failure: { status: 503, error: 'status' } });
    }
    expect((await cli('event', 'list')).out).toContain(`http://127.0.0.1:${failing.receiver.port}/hook`);
    expect((await call('GET', '/v1/products/?limit=5000', undefined, current)).status).toBe(422);
    for (const command of ['list', 'groups'])
      expect((await cli('failed-request', command)).out).toMatch(
        new RegExp(`Demo client \\(${client_id}\\) +products:list +${current} +${current} +422 `),
      );
    expect((await cli('client', 'list')).out).toMatch(new RegExp(`${organization}.* 422 validation_failed`));
    expect((await cli('audit', 'list')).out).toMatch(new RegExp(organization));
  });

  it('[who broke] narrow lists by version and time', async () => {
    const older = await endpoint({ events: ['product.created'], api_version: current });
    service.clock.advanceSeconds(60);
    const since = service.clock.now().toISOString();
    expect((await call('GET', '/v1/products/?limit=5000', undefined, next)).status).toBe(422);
    await createProduct();
    service.clock.advanceSeconds(60);
    const later = service.clock.now().toISOString();
    const count = async (...args: string[]) => (await json(...args)).length;
    for (const command of ['list', 'groups']) {
      const failed = ['failed-request', command, '--requested-version', next];
      expect(await count(...failed, '--since', since)).toBe(1);
      expect(await count(...failed, '--since', later)).toBe(0);
      expect(await count('failed-request', command, '--since', since, '--version', current)).toBe(0);
    }
    const events = ['event', 'list', '--since', since, '--until', later];
    expect(await count(...events, '--api-version', current)).toBe(1);
    expect(await count(...events, '--api-version', next)).toBe(0);
    expect((await cli('event', 'list', '--api-version', next)).err).toContain('An api_version needs');
    expect(await json('webhook', 'list', '--api-version', current)).toMatchObject([{ id: older.id }]);
    expect((await cli('failed-request', 'list', '--since', 'soon')).err).toContain('--since must be a time');
    const today = since.slice(0, 10);
    expect(await count('usage', '--from', today, '--to', today, '--version', next)).toBe(1);
    expect(await count('usage', '--from', '2026-01-01', '--to', '2026-01-02')).toBe(0);
    expect((await cli('usage', '--from', today, '--days', '3')).err).toContain('--from or --days');
  });

  it('[who broke] show the health of an endpoint, try it out and recover it', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    const { organization_id } = service.quickstart.sandbox;
    const listed = await json('webhook', 'list', '--search', subscribed.id);
    expect(listed).toMatchObject([{ id: subscribed.id, failing_since: null, organization_id }]);
    expect(await json('webhook', 'show', subscribed.id)).toMatchObject({ id: subscribed.id, recovery: null });
    const sent = JSON.parse(
      (await cli('webhook', 'test', subscribed.id, '--type', 'product.created', '--json')).out,
    );
    expect(sent).toMatchObject({ endpoint_id: subscribed.id, test: true });
    await received(subscribed, 1);
    const since = new Date(service.clock.now().getTime() - 60_000).toISOString();
    const recovery = await json('webhook', 'recover', subscribed.id, '--since', since);
    expect(recovery).toMatchObject({ endpoint_id: subscribed.id });
    expect((await json('webhook', 'show', subscribed.id)).recovery).toMatchObject({ id: recovery.id });
    expect(await cli('webhook', 'recover', subscribed.id, '--since', 'soon')).toMatchObject({ code: 2 });
    expect(await json('webhook', 'queue')).toMatchObject({ enabled: 1, disabled: 0 });
  });

  it('[who broke] find anything by its id or its name, and take no secret', async () => {
    const { client_id: id, client_secret: secret } = service.quickstart.sandbox;
    const [found] = await json('search', id);
    expect(found).toMatchObject({ kind: 'client', id, by: 'id' });
    expect((await cli('search', found.name)).out).toMatch(new RegExp(`client +${id} +${found.name} `));
    expect((await cli('search', 'nothing-of-this-name')).out).toBe('Nothing was found.\n');
    for (const given of [secret, `Bearer ${service.quickstart.sandbox.access_token}`]) {
      const { code, out, err } = await cli('search', given);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('token explain --token -');
      expect(err).not.toContain(given);
    }
  });

  it('[who broke] list what failed for a client', async () => {
    const { client, access } = await createCaller(service);
    const path = '/v1/products/prd_0000000000000000000000';
    const { status } = await callAs(service, access.tokenValue, { method: 'GET', path, version: current });
    expect(status).toBe(404);
    const [failed] = await json('failed-request', 'list', '--client', client.id);
    expect(failed).toMatchObject({ client_id: client.id, version: current, status: 404 });
    expect(await json('failed-request', 'list', '--request-id', failed.request_id)).toEqual([failed]);
    expect(await json('failed-request', 'list', '--client', client.id, '--code', 'other')).toEqual([]);
    expect(await json('failed-request', 'groups', '--client', client.id)).toMatchObject([
      { client_id: client.id, requests: 1 },
    ]);
    expect(await cli('failed-request', 'list', '--limit', 'all')).toMatchObject({ code: 2 });
    expect((await cli('failed-request', 'groups', '--days', '8')).err).toContain('days must be');
  });

  it('[who broke] show grants and one token by its id, and revoke each', async () => {
    const { client, user, grant, access } = await createCaller(service);
    const reason = ['--reason', 'phone lost'];
    const [ofUser] = await json('grant', 'list', '--user', user.id);
    expect(ofUser).toMatchObject({ id: grant.id, client_id: client.id });
    expect(await json('grant', 'list', '--client', client.id)).toEqual([ofUser]);
    expect(await cli('grant', 'list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--user or --client'),
    });
    const tokens = await json('grant', 'tokens', grant.id);
    const { id } = tokens.find(({ token_type: type }: { token_type: string }) => type === 'access_token');
    expect(await json('token', 'revoke', id, ...reason)).toEqual({ id, revoked: true });
    expect(await json('token', 'explain', id)).toMatchObject({ state: 'revoked', reason: 'phone lost' });
    expect(await cli('token', 'revoke', id, '--client', client.id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not go with --client'),
    });
    expect(await json('grant', 'revoke', grant.id, ...reason)).toEqual({ id: grant.id, revoked: true });
    expect(await json('grant', 'list', '--user', user.id)).toEqual([]);
    expect(
      (await callAs(service, access.tokenValue, { method: 'GET', path: '/v1/products/', version: current }))
        .status,
    ).toBe(401);
  });

  it('[who broke] find and show people and organizations, and sign a user out', async () => {
    const { organization, user } = await createCaller(service);
    expect(await json('user', 'list', '--search', user.id)).toMatchObject([{ id: user.id }]);
    expect(await json('org', 'list', '--search', organization.id)).toEqual([
      await json('org', 'show', organization.id),
    ]);
    expect(await json('user', 'show', user.id)).toMatchObject({ organizations: [{ id: organization.id }] });
    expect((await cli('user', 'show', user.id)).out).toContain(`${organization.name} (${organization.id})`);
    expect((await cli('session', 'list', '--user', user.id)).out).toBe('No live session.\n');
    expect(await json('session', 'end', '--user', user.id)).toEqual({ user_id: user.id, signed_out: true });
    expect(await json('audit', 'list', '--user', user.id, '--action', 'user.signed_out')).toHaveLength(1);
  });

  it('[who broke] show the decisions about releases, and what changed in a version', async () => {
    expect(await json('release', 'history')).toEqual([]);
    expect((await cli('release', 'changes', current)).out).toMatch(/^.*:\n- /);
    expect((await cli('release', 'changes', '1999-01')).err).toContain('There is no version 1999-01');
  });

  /** The body of the first delivery. */
  function firstBody({ receiver }: Awaited<ReturnType<typeof endpoint>>): string {
    return receiver.requests[0]?.body.toString() ?? '';
  }
});
