import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Environment } from '../../src/environments/environment.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { createSecretBox, type SecretBox } from '../../src/secrets/secret-box.ts';
import { secretKey } from '../../src/secrets/secret-key.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const keys = Array.from({ length: 10 }, (_, index) => Buffer.alloc(32, index + 1));
const [K1, K2] = keys as [Buffer, Buffer];
const FORGET = statement('forget_secret_key', 'delete from {schema}.secret_key');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dateline-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const path = (): string => join(folder, 'secret.key');

onEmbeddedFirst('recoverable secrets', (engine) => {
  const environments = useTestEnvironments(engine);
  const open = (environment: Environment, ...configured: Buffer[]): Promise<SecretBox> =>
    openSecretBox(environment, { configured, path: path() });
  beforeEach(async () => {
    for (const { session } of [environments.production, environments.sandbox]) await session.run(FORGET, []);
  });

  it('can be unsealed unchanged only, for their own purpose and environment', async () => {
    const { production, sandbox } = environments;
    const box = await open(sandbox, K1);
    const sealed = await sandbox.transaction((inside) => box.seal(inside, 'place 1', 'a secret'));
    expect(sealed.includes('a secret')).toBe(false);
    expect(box.unseal('place 1', sealed)).toBe('a secret');
    expect(() => box.unseal('place 2', sealed)).toThrow();
    const elsewhere = await open(production, K1);
    expect(() => elsewhere.unseal('place 1', sealed)).toThrow();
    for (const position of [0, 8, 20, 36, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[position] = (changed[position] as number) ^ 1;
      expect(() => box.unseal('place 1', changed), `byte ${position}`).toThrow();
    }
  });

  it('are sealed differently each time, so that equal ones cannot be recognised', async () => {
    const { sandbox } = environments;
    const box = await open(sandbox, K1);
    const seal = () => sandbox.transaction((inside) => box.seal(inside, 'place', 'a secret'));
    expect((await seal()).equals(await seal())).toBe(false);
  });

  it('belong to the key of the first node: of ten that start at once with a key each, one is accepted', async () => {
    const { sandbox } = environments;
    const started = await Promise.allSettled(keys.map((key) => open(sandbox, key)));
    const [let_in] = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refused = started.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(9);
    const id = let_in?.keys[0]?.id;
    for (const { name, message } of refused) {
      expect(name).toBe('StartupError');
      expect(message).toMatch(
        new RegExp(
          `^DATELINE_SECRET_KEY: the secrets of sandbox in this database need the key with the id ${id}, and this node has [0-9a-f]{16}; set it to the key of the other nodes`,
        ),
      );
    }
    await expect(open(sandbox, ...(let_in?.keys.map(({ bytes }) => bytes) ?? []))).resolves.toBeDefined();
  });

  it('have a key created once if none is set, which later starts use', async () => {
    const { production, sandbox } = environments;
    const made = await Promise.all([open(production), open(sandbox), open(sandbox), open(production)]);
    expect(new Set(made.map((box) => box.keys[0]?.id)).size).toBe(1);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const text = readFileSync(path(), 'utf8');
    const sealed = await sandbox.transaction((inside) => (made[1] as SecretBox).seal(inside, 'place', 'x'));
    expect((await open(sandbox)).unseal('place', sealed)).toBe('x');
    expect(readFileSync(path(), 'utf8')).toBe(text);
    // The content of the file is valid as the setting.
    await expect(open(sandbox, Buffer.from(text, 'base64'))).resolves.toBeDefined();
  });

  it('reject a node without any key on a database that has one, and create no file for it', async () => {
    const { sandbox } = environments;
    await open(sandbox, K1);
    await expect(open(sandbox)).rejects.toThrow(
      `need the key with the id ${secretKey(K1).id}, and this node has none; set it to`,
    );
    expect(existsSync(path())).toBe(false);
  });

  it('name the key that a node lacks by its id, and never its value', async () => {
    const { sandbox } = environments;
    await open(sandbox, K1);
    const refusal = await open(sandbox, K2).catch((error: Error) => error.message);
    for (const key of [K1, K2]) {
      expect(refusal).not.toContain(key.toString('base64'));
      expect(refusal).not.toContain(key.toString('hex'));
    }
    const stranger = createSecretBox('sandbox', [secretKey(K2)]);
    const sealed = createSecretBox('sandbox', [secretKey(K1)]).sealUnder(secretKey(K1).id, 'place', 'x');
    expect(() => stranger.unseal('place', sealed)).toThrow(
      `this node lacks the secret key with the id ${secretKey(K1).id}`,
    );
  });
});
