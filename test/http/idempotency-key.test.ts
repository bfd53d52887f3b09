import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiVersion, compileApi } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { apiSource } from '../../src/contracts/api.ts';
import { removeMember } from '../../src/directory/users.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { addMember } from '../../src/identity/members.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import { createUser } from '../../src/identity/users.ts';
import { grantToUser } from '../../src/oauth/grants/grants.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { answered } from '../support/run/answered.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { current, maintained, next } from '../support/service/build-versions.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { spawnDateline } from '../support/service/spawn-dateline.ts';
import { useTestService } from '../support/service/test-service.ts';

const product = { name: 'Support plan', billing: 'recurring', prices: [{ amount: 4900, currency: 'eur' }] };
/** A price as each version accepts it: fields that its contract does not name are rejected. */
const prices: readonly object[] = [
  { prices: [{ amount: 4900, currency: 'eur' }] },
  { price_amount: 4900, price_currency: 'eur' },
];
const compiled = compileApi(apiSource());
function bodyFor(version: string): string {
  const create = compiled.get(version as ApiVersion)?.operations.get('products:create');
  const bodies = prices.map((price) => ({ name: 'Support plan', billing: 'recurring', ...price }));
  return JSON.stringify(bodies.find((body) => create?.validateBody(body).length === 0));
}

onPostgresFirst('an Idempotency-Key', (engine) => {
  const service = useTestService(engine);

  interface Sent {
    key?: string;
    version?: string;
    body?: string;
    token?: string;
    method?: string;
    path?: string;
  }

  async function send({ key, version = next, body = bodyFor(version), token, method, path }: Sent) {
    const response = await service.call('sandbox', path ?? '/v1/products/', {
      method: method ?? 'POST',
      headers: {
        authorization: `Bearer ${token ?? service.quickstart.sandbox.access_token}`,
        'content-type': 'application/json',
        'service-version': version,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body,
    });
    const contentType = response.headers.get('content-type');
    const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return answered({ status: response.status, contentType, bytes }, response.url);
  }

  const idIn = ({ bytes }: { bytes: string }): string => (JSON.parse(bytes) as { id: string }).id;
  const codeIn = ({ bytes }: { bytes: string }): string => {
    const { error, code } = JSON.parse(bytes) as { error?: string; code?: string };
    return error ?? code ?? '';
  };

  async function countProducts(): Promise<number> {
    const { session } = await environment();
    return (
      await session.tables<{ products: { id: string } }>().selectFrom('products').select('id').execute()
    ).length;
  }

  async function environment(): Promise<Environment> {
    const database = await service.database('sandbox');
    const { clock, urls } = service;
    const { lifetimes } = loadConfig({});
    return environmentOn({ name: 'sandbox', issuer: urls.sandbox, database, clock, lifetimes });
  }

  it.each(maintained)(
    'makes a repeated POST answer the same bytes and create once, in %s',
    async (version) => {
      const before = await countProducts();
      const [first, again] = [
        await send({ key: `once-${version}`, version }),
        await send({ key: `once-${version}`, version }),
      ];
      expect(first.status).toBe(201);
      expect(again).toEqual(first);
      expect(await countProducts()).toBe(before + 1);
    },
  );

  it('does not change the answer', async () => {
    const body = bodyFor(next).replace('Support plan', 'Zoë’s 🎁 plan');
    const [plain, keyed] = [await send({ body }), await send({ body, key: 'like-without' })];
    const shapeOf = ({ bytes, ...rest }: typeof plain) => ({
      ...rest,
      bytes: bytes.replace(idIn({ bytes }), 'the id'),
    });
    expect(shapeOf(keyed)).toEqual(shapeOf(plain));
    expect(await send({ body, key: 'like-without' })).toEqual(keyed);
  });

  it('creates one product for 20 equal concurrent requests', async () => {
    const before = await countProducts();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ key: 'crowd' })));
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await countProducts()).toBe(before + 1);
  });

  it('is rejected with another body or in another version, with an error of each contract', async () => {
    const api = compileApi(apiSource());
    const before = await countProducts();
    for (const version of maintained) {
      const key = `reused-${version}`;
      await send({ key, version });
      const otherBody = await send({
        key,
        version,
        body: bodyFor(version).replace('Support', 'Other'),
      });
      expect([otherBody.status, codeIn(otherBody)]).toEqual([422, 'idempotency_key_reused']);
      const other = version === next ? current : next;
      const otherVersion = await send({ key, version: other });
      expect([otherVersion.status, codeIn(otherVersion)]).toEqual([422, 'idempotency_key_reused']);
      const { errors } = api.get(version)?.operations.get('products:create')?.operation ?? {};
      expect(errors?.[422]).toContain('idempotency_key_reused');
    }
    expect(await countProducts()).toBe(before + 3);
  });

  it('ignores the order of the body’s fields', async () => {
    const { name, ...rest } = product;
    const first = await send({ key: 'order', body: JSON.stringify({ name, ...rest }) });
    expect(await send({ key: 'order', body: JSON.stringify({ ...rest, name }) })).toEqual(first);
  });

  it('stores no refusal: the request can be corrected and sent again', async () => {
    const body = JSON.stringify({ ...product, prices: [...product.prices, ...product.prices] });
    expect((await send({ key: 'mended', body })).status).toBe(422);
    expect((await send({ key: 'mended' })).status).toBe(201);
  });

  it('belongs to the client and its subject, not to a token', async () => {
    const sandbox = await environment();
    const [one, other] = [await createGrantedUser(sandbox), await createGrantedUser(sandbox)];
    const first = await send({ key: 'mine', token: one.access.tokenValue });
    const renewed = await issueAccessToken(sandbox, one.grant);
    expect(await send({ key: 'mine', token: renewed.tokenValue })).toEqual(first);
    const others = await send({ key: 'mine', token: other.access.tokenValue });
    expect(others.status).toBe(201);
    expect(idIn(others)).not.toBe(idIn(first));
  });

  it('[outside2 28] of one user is not that of another of the same client and organization', async () => {
    const sandbox = await environment();
    const { client, organization, access } = await createGrantedUser(sandbox);
    const colleague = await createUser(sandbox, {
      email: `${randomUUID()}@example.com`,
      name: 'Colleague',
      password: 'correct horse battery',
    });
    await addMember(sandbox, { organizationId: organization.id, userId: colleague.id });
    const grant = await grantToUser(sandbox, {
      client,
      userId: colleague.id,
      organizationIds: [organization.id],
      scopes: client.scopes,
    });
    const { tokenValue } = await issueAccessToken(sandbox, grant);
    const mine = await send({ key: 'shared', token: access.tokenValue });
    const theirs = await send({ key: 'shared', token: tokenValue });
    expect([mine.status, theirs.status, idIn(mine) === idIn(theirs)]).toEqual([201, 201, false]);
    expect(await send({ key: 'shared', token: tokenValue })).toEqual(theirs);
  });

  it('[outside 6] gives nobody an answer again who has left its organization', async () => {
    const sandbox = await environment();
    const { access, client, user, organization } = await createGrantedUser(sandbox);
    const token = access.tokenValue;
    const endpoint = JSON.stringify({ url: 'https://example.com/in', events: ['product.created'] });
    const creations = [
      { key: 'left', token },
      { key: 'left-endpoint', token, path: '/v1/webhooks/endpoints', body: endpoint },
    ];
    for (const creation of creations) {
      const first = await send(creation);
      expect([first.status, await send(creation)]).toEqual([201, first]);
    }
    const membership = { organizationId: organization.id, userId: user.id };
    await removeMember(sandbox, membership);
    for (const creation of creations) {
      const { status, bytes } = await send(creation);
      expect([status, bytes.includes('whsec_'), bytes.includes(organization.id)]).toEqual([
        422,
        false,
        false,
      ]);
    }
    await addMember(sandbox, membership);
    // What was allowed before is not revived; what is allowed from now on reaches the same answer.
    const grant = await grantToUser(sandbox, {
      client,
      userId: user.id,
      organizationIds: [organization.id],
      scopes: client.scopes,
    });
    const { tokenValue: newToken } = await issueAccessToken(sandbox, grant);
    for (const creation of creations) {
      const again = [await send(creation), await send({ ...creation, token: newToken })];
      expect(again.map(({ status }) => status)).toEqual([422, 201]);
    }
  });

  it('[outside 6] belongs to the organization that something is created in', async () => {
    const sandbox = await environment();
    const { client, user, organization } = await createGrantedUser(sandbox);
    const other = await createOrganization(sandbox, { name: 'Other' });
    await addMember(sandbox, { organizationId: other.id, userId: user.id });
    const organizationIds = [organization.id, other.id];
    const grant = await grantToUser(sandbox, {
      client,
      userId: user.id,
      organizationIds,
      scopes: client.scopes,
    });
    const token = (await issueAccessToken(sandbox, grant)).tokenValue;
    const create = (organization_id: string) =>
      send({ key: 'both', token, body: JSON.stringify({ ...product, organization_id }) });
    const [one, two] = [await create(organization.id), await create(other.id)];
    expect([one.status, two.status, idIn(one) === idIn(two)]).toEqual([201, 201, false]);
    expect([await create(organization.id), await create(other.id)]).toEqual([one, two]);
  });

  it('gives no access to a token without the scope', async () => {
    const sandbox = await environment();
    const { grant, access } = await createGrantedUser(sandbox);
    await send({ key: 'scoped', token: access.tokenValue });
    const narrow = await issueAccessToken(sandbox, { ...grant, scopes: ['products:read'] });
    expect((await send({ key: 'scoped', token: narrow.tokenValue })).status).toBe(403);
  });

  it('is ignored by operations whose contract does not have it', async () => {
    const path = `/v1/products/${idIn(await send({}))}`;
    const patch = (name: string) =>
      send({ method: 'PATCH', path, key: 'patch', body: JSON.stringify({ name }) });
    expect([(await patch('First')).status, (await patch('Second')).status]).toEqual([200, 200]);
  });

  it('may have 255 characters of visible ASCII', async () => {
    expect((await send({ key: '!~'.repeat(127).concat('x') })).status).toBe(201);
  });

  it.each([
    ['empty', ['']],
    ['longer than 255 characters', ['x'.repeat(256)]],
    ['with a space', ['a b']],
    ['with a character outside ASCII', ['caf\u00e9']],
    ['given twice', ['a', 'a']],
  ])('is rejected by name when it is %s, and nothing is created', async (_what, keys) => {
    const before = await countProducts();
    for (const version of maintained) {
      const body = bodyFor(version);
      const answer = await sendRaw(
        service.urls.sandbox,
        `POST /v1/products/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.quickstart.sandbox.access_token}\r\n` +
          `Service-Version: ${version}\r\n${keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('')}` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 422 /);
      expect(answer).toMatch(/"validation_failed"/);
      expect(answer).toMatch(/"detail":"Idempotency-Key /);
    }
    expect(await countProducts()).toBe(before);
  });

  it('may be sent by scripts of other origins', async () => {
    const { headers } = await service.call('sandbox', '/v1/products/', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'idempotency-key' },
    });
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });
});

describe('an Idempotency-Key on two nodes', () => {
  itInLongRuns('creates one product for 20 equal concurrent requests', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-idempotency-'));
    const database = await createPostgresDatabase({ migrated: true });
    const env = { DATABASE_URL: database.url, DATELINE_DATA_DIR: dataDir, DATELINE_LOG_LEVEL: 'error' };
    const first = spawnDateline(['serve'], { env });
    const urls = [(await first.ready()).sandbox];
    const second = spawnDateline(['serve'], { env });
    urls.push((await second.ready()).sandbox);
    const { access_token } = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox;
    const headers = { authorization: `Bearer ${access_token}`, 'service-version': next };
    const create = (index: number) =>
      fetch(`${urls[index % 2]}/v1/products/`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'two-nodes' },
        body: bodyFor(next),
      });
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)));
      const bodies = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(bodies).size).toBe(1);
      const list = await fetch(`${urls[0]}/v1/products/`, { headers });
      expect(((await list.json()) as { items: unknown[] }).items).toHaveLength(1);
    } finally {
      for (const { child, exit } of [first, second]) {
        child.kill('SIGKILL');
        await exit;
      }
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
