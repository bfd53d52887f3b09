import { randomBytes } from 'node:crypto';
import type { Environment } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import { present } from '../kernel/presence.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';
import { type SecretKey, secretKey } from './secret-key.ts';
import { makeSecretKeyFile, readSecretKeyFile } from './secret-key-file.ts';
import { insertKeyInUse, type KeysInUse, selectKeysInUse } from './store.ts';

export interface SecretKeySource {
  /** Keys from DATELINE_SECRET_KEY: the one to use, then older ones. Empty: the file has it. */
  configured: readonly Buffer[];
  /** The path of `secret.key` in the data folder. */
  path: string;
}

const KEY_BYTES = 32;

/**
 * The secrets of an environment, for a node that has their key. The first node on an empty database chooses the key, and
 * makes one if it was given none; nodes with another key are refused. Nodes do this one after the other, before they
 * serve requests, so the transaction may write a file.
 */
export async function openSecretBox(environment: Environment, source: SecretKeySource): Promise<SecretBox> {
  return environment.transaction(async ({ name, session, clock }) => {
    await session.lock('secret_key');
    const inUse = await selectKeysInUse(session);
    const keys = readKeys(source) ?? (inUse ? [] : makeKeys(source));
    if (inUse) refuseWithout(inUse, keys, name);
    else await insertKeyInUse(session, present(keys[0], 'a secret key').id, clock.now());
    return createSecretBox(name, keys);
  });
}

function readKeys({ configured, path }: SecretKeySource): readonly SecretKey[] | null {
  const found = configured.length > 0 ? configured : readSecretKeyFile(path);
  return found?.map(secretKey) ?? null;
}

/** Read again: if another process has just made the file, its key counts. */
function makeKeys(source: SecretKeySource): readonly SecretKey[] {
  makeSecretKeyFile(source.path, randomBytes(KEY_BYTES));
  return readKeys(source) ?? [];
}

function refuseWithout({ activeId, formerIds }: KeysInUse, keys: readonly SecretKey[], name: string): void {
  const missing = [activeId, ...formerIds].filter((id) => !keys.some((key) => key.id === id));
  if (missing.length === 0) return;
  const held = keys.length === 0 ? 'none' : keys.map(({ id }) => id).join(', ');
  throw new StartupError(
    `DATELINE_SECRET_KEY: the secrets of ${name} in this database need the key with the id ${missing.join(' and the one with the id ')}, and this node has ${held}; set it to the key of the other nodes, which is in secret.key in the data folder of the first one if it was never set.`,
  );
}
