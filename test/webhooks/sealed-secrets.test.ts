import { expect, it } from 'vitest';
import { answerOnce } from '../../src/idempotency/answer-once.ts';
import { answerPurpose, keptAnswerHolder } from '../../src/idempotency/sealed-answers.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { rotateSecretKey } from '../../src/secrets/rotate-secret-key.ts';
import { statement } from '../../src/storage/statement.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { secretPurpose, webhookSecretHolder } from '../../src/webhooks/endpoints/endpoint-secrets.ts';
import type { SecretId } from '../../src/webhooks/types.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const [K1, K2] = [1, 2].map((filling) => Buffer.alloc(32, filling)) as [Buffer, Buffer];
const SECRETS = statement(
  'read_secrets',
  'select id, endpoint_id as "endpointId", sealed from {schema}.webhook_secrets',
);

onEmbeddedFirst('the secrets of webhooks', (engine) => {
  const environments = useTestEnvironments(engine);

  it('are sealed anew when the secret key changes, and so are stored answers that contain one', async () => {
    const { sandbox } = environments;
    const open = (...configured: Buffer[]) => openSecretBox(sandbox, { configured, path: '/nowhere' });
    const old = await open(K1);
    const actor = { type: 'operator', id: 'test' } as const;
    const organization = await createOrganization(sandbox, { name: 'Sealed' });
    const values = new Map<string, string>();
    for (let count = 0; count < 101; count += 1) {
      const { endpoint, secretValue } = await createEndpoint(
        sandbox,
        {
          organizationId: organization.id,
          url: 'https://hooks.example.com/in',
          format: 'raw',
          events: ['*'],
          apiVersion: null,
          enabled: true,
          description: null,
          maxPerSecond: null,
        },
        { box: old, rules: { ports: [443], loopback: false }, actor },
      );
      values.set(endpoint.id, secretValue);
    }
    const request = {
      clientId: 'cli',
      subjectId: 'usr',
      organizationId: 'org',
      key: 'k',
      requestDigest: Buffer.alloc(32),
    };
    const purpose = answerPurpose(request);
    const keep = () =>
      answerOnce(sandbox, request, async (context) => ({
        status: 201,
        body: await old.seal(context, purpose, 'whsec_kept'),
        isSealed: true,
      }));
    await keep();

    const holders = [webhookSecretHolder, keptAnswerHolder];
    const rotated = await rotateSecretKey(sandbox, await open(K2, K1), { holders, actor });
    expect(rotated.resealedCount).toBe(values.size + 1);
    const box = await open(K2);
    const stored = await sandbox.session.run<{ id: SecretId; endpointId: string; sealed: Buffer }>(
      SECRETS,
      [],
    );
    const read = stored.map(({ id, endpointId, sealed }) => [
      endpointId,
      box.unseal(secretPurpose(id), sealed),
    ]);
    expect(new Map(read as [string, string][])).toEqual(values);
    expect(box.unseal(purpose, (await keep()).body)).toBe('whsec_kept');
  });
});
