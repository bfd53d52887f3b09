import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerPurpose } from '../../src/idempotency/sealed-answers.ts';
import { upsertAnswer } from '../../src/idempotency/store.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { secretKey } from '../../src/secrets/secret-key.ts';
import { anyEngine, createTestDatabases } from '../support/database/databases.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { type RunningTestService, startTestServiceOn } from '../support/service/test-service.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const SECRETS = 250;

describe('a change of the secret key', () => {
  let service: RunningTestService;
  beforeAll(async () => {
    const databases = await createTestDatabases(anyEngine);
    const clock = createTestClock();
    const database = await databases.open('sandbox');
    const sandbox = environmentOn({ name: 'sandbox', issuer: 'https://sandbox.test', database, clock });
    const old = await openSecretBox(sandbox, { configured: [OLD], path: '/nowhere/secret.key' });
    await sandbox.transaction(async (inside) => {
      for (let n = 0; n < SECRETS; n += 1) {
        const owner = { clientId: 'c', subjectId: 's', organizationId: 'o', key: `key ${n}` };
        await upsertAnswer(inside.session, {
          ...owner,
          requestDigest: Buffer.alloc(32),
          status: 201,
          body: await old.seal(inside, answerPurpose(owner), `secret ${n}`),
          isSealed: true,
          now: clock.now(),
          expiresAt: new Date(clock.nowMs() + 3_600_000),
        });
      }
    });
    const keys = [NEW, OLD].map((key) => key.toString('base64')).join();
    service = await startTestServiceOn(databases, { DATELINE_SECRET_KEY: keys });
  });
  afterAll(() => service?.stop());

  it('takes as many calls as it needs, each of them shorter than a request may be, and says how far it is', async () => {
    // Time flies: every call has used up its own after one step.
    const now = service.clock.now.bind(service.clock);
    vi.spyOn(service.clock, 'now').mockImplementation(() => {
      service.clock.advanceSeconds(4);
      return now();
    });
    const { code, out, err } = await runCommandLine(
      ['secret-key', 'rotate', '--json'],
      operatorSettings(service),
    );
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { active_id: secretKey(NEW).id, former_ids: [], resealed_count: SECRETS },
    ]);
    expect(err.match(/\d+ secrets so far/g)).toEqual(
      [100, 200, 250].map((count) => `${count} secrets so far`),
    );
  });
});
