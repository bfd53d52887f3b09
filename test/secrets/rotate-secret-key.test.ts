import { expect, it } from 'vitest';
import type { Context, Environment } from '../../src/environments/environment.ts';
import { signingKeyHolder } from '../../src/oauth/signing/make-signing-key.ts';
import { createSigningKeys } from '../../src/oauth/signing/signing-keys.ts';
import { signingAlgorithms } from '../../src/oauth/types.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { readKeysInUse, rotateSecretKey, type SecretHolder } from '../../src/secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../src/secrets/secret-box.ts';
import { secretKey } from '../../src/secrets/secret-key.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { waitsOrIsOver } from '../support/database/waits-or-is-over.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const [K1, K2, K3] = [1, 2, 3].map((filling) => Buffer.alloc(32, filling)) as [Buffer, Buffer, Buffer];
const [id1, id2, id3] = [K1, K2, K3].map((key) => secretKey(key).id) as [string, string, string];
const actor = { type: 'operator', id: 'configured' } as const;
const interrupted: SecretHolder = {
  async reseal() {
    throw new Error('the power went off');
  },
};
const AUDITED = statement(
  'read_rotations',
  `select actor_id, details from {schema}.audit_log where action = 'secret_key.rotated' order by id`,
);

onEmbeddedFirst('changing the secret key', (engine) => {
  const environments = useTestEnvironments(engine);
  const open = (environment: Environment, ...configured: Buffer[]): Promise<SecretBox> =>
    openSecretBox(environment, { configured, path: '/nowhere/secret.key' });
  const signer = async (environment: Environment, box: SecretBox) => {
    const keys = createSigningKeys(box);
    const ids = [];
    for (const algorithm of signingAlgorithms) ids.push((await keys.signer(environment, algorithm)).keyId);
    return ids.join();
  };
  const rotate = (context: Context, box: SecretBox, holders = [signingKeyHolder]) =>
    rotateSecretKey(context, box, { holders, actor });

  it('causes no outage: nodes with the old key, with both and with the new one alone all work', async () => {
    const { production } = environments;
    const old = await open(production, K1);
    const keyId = await signer(production, old);

    // Nodes with both keys join; until the change is made, all of them seal under the old one.
    const both = await open(production, K2, K1);
    const sealed = await production.transaction((inside) => both.seal(inside, 'place', 'x'));
    expect(old.unseal('place', sealed)).toBe('x');
    expect(await signer(production, both)).toBe(keyId);
    await expect(open(production, K2)).rejects.toThrow(`need the key with the id ${id1}`);

    expect(await rotate(production, both)).toMatchObject({ activeId: id2, formerIds: [], resealedCount: 2 });
    expect(await signer(production, await open(production, K2))).toBe(keyId);
    expect(await signer(production, both)).toBe(keyId);
    await expect(open(production, K1)).rejects.toThrow(`need the key with the id ${id2}`);
    expect(await rotate(production, both)).toMatchObject({ activeId: id2, resealedCount: 0 });
    expect(await production.session.run(AUDITED, [])).toEqual([
      { actor_id: 'configured', details: { from_id: id1, to_id: id2 } },
    ]);
  });

  it('can be interrupted: a node then needs both keys, and a repeat finishes it', async () => {
    const { sandbox } = environments;
    const keyId = await signer(sandbox, await open(sandbox, K1));
    const both = await open(sandbox, K2, K1);
    await expect(rotate(sandbox, both, [interrupted, signingKeyHolder])).rejects.toThrow(
      'the power went off',
    );
    expect(await readKeysInUse(sandbox)).toMatchObject({ activeId: id2, formerIds: [id1] });
    await expect(open(sandbox, K2)).rejects.toThrow(`need the key with the id ${id1}`);
    expect(await signer(sandbox, await open(sandbox, K1, K2))).toBe(keyId);

    // A node without the new key cannot change to a third one.
    const third = await open(sandbox, K3, K1, K2);
    await expect(rotate(sandbox, { ...third, keys: [secretKey(K3), secretKey(K1)] })).rejects.toThrow(
      `This node lacks the key ${id2}.`,
    );

    expect(await rotate(sandbox, both)).toMatchObject({ activeId: id2, formerIds: [], resealedCount: 2 });
    expect(await signer(sandbox, await open(sandbox, K2))).toBe(keyId);
  });

  it('[outside2 28] keeps every former key that may still seal something, and names no key twice', async () => {
    const { sandbox } = environments;
    const keyId = await signer(sandbox, await open(sandbox, K2));
    const interrupt = async (...keys: Buffer[]) => {
      await expect(rotate(sandbox, await open(sandbox, ...keys), [interrupted])).rejects.toThrow(
        'the power went off',
      );
      const { activeId, formerIds } = await readKeysInUse(sandbox);
      return [activeId, [...formerIds].sort()];
    };
    // Each change stops half-way, so that something may be left under every key that there was.
    expect(await interrupt(K3, K2)).toEqual([id3, [id2]]);
    expect(await interrupt(K1, K2, K3)).toEqual([id1, [id2, id3].sort()]);
    expect(await interrupt(K2, K1, K3)).toEqual([id2, [id1, id3].sort()]);
    expect(await rotate(sandbox, await open(sandbox, K2, K1, K3))).toMatchObject({
      activeId: id2,
      formerIds: [],
    });
    expect(await signer(sandbox, await open(sandbox, K2))).toBe(keyId);
  });

  it('[outside2 28] forgets no key where another change has begun meanwhile', async () => {
    const { sandbox } = environments;
    const keyId = await signer(sandbox, await open(sandbox, K2));
    const overtaking = await open(sandbox, K1, K2, K3);
    const overtaken: SecretHolder = {
      async reseal(context, anew) {
        const count = await signingKeyHolder.reseal(context, anew);
        if (count > 0) return count;
        await rotate(context, overtaking, [interrupted]).catch(() => {});
        return 0;
      },
    };
    const left = await rotate(sandbox, await open(sandbox, K3, K2), [overtaken]);
    expect([left.activeId, [...left.formerIds].sort()]).toEqual([id1, [id2, id3].sort()]);
    expect(await readKeysInUse(sandbox)).toMatchObject({ activeId: id1, formerIds: left.formerIds });
    await expect(open(sandbox, K1)).rejects.toThrow('need the key with the id');
    expect(await rotate(sandbox, overtaking)).toMatchObject({ activeId: id1, formerIds: [] });
    expect(await signer(sandbox, await open(sandbox, K1))).toBe(keyId);
    await rotate(sandbox, await open(sandbox, K2, K1));
  });

  it('misses nothing that is being sealed at that moment', async () => {
    const { sandbox } = environments;
    const both = await open(sandbox, K1, K2);
    const keys = createSigningKeys(both);
    let go: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let made: () => void = () => {};
    const isMade = new Promise<void>((resolve) => {
      made = resolve;
    });
    const sealing = sandbox.transaction(async (inside) => {
      await keys.rotate(inside, { algorithm: 'ES256', actor, withdraw: false });
      made();
      await held;
    });
    await isMade;
    const rotating = rotate(sandbox, both);
    await waitsOrIsOver(sandbox, rotating);
    go();
    await sealing;
    expect(await rotating).toMatchObject({ activeId: id1, formerIds: [], resealedCount: 3 });
    const alone = createSigningKeys(await open(sandbox, K1));
    const { upcoming } = await alone.schedule(sandbox, 'ES256');
    expect(upcoming).toHaveLength(1);
    environments.clock.set(upcoming[0]?.signsFrom as Date);
    expect((await alone.signer(sandbox, 'ES256')).keyId).toBe(upcoming[0]?.id);
  });
});
