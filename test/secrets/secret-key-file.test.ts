import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSecretKeyFile, readSecretKeyFile, secretKeyPath } from '../../src/secrets/secret-key-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dateline-secret-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe('secret.key', () => {
  it('is created with its folder, readable by its owner only, and leaves no draft', () => {
    const path = secretKeyPath(join(folder, 'data'));
    expect(readSecretKeyFile(path)).toBeNull();
    makeSecretKeyFile(path, one);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readSecretKeyFile(path)).toEqual([one]);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
  });

  it('is never overwritten', () => {
    const path = secretKeyPath(folder);
    makeSecretKeyFile(path, one);
    makeSecretKeyFile(path, other);
    expect(readSecretKeyFile(path)).toEqual([one]);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  it('may hold a new key and the old one after it, as the setting does', () => {
    const path = secretKeyPath(folder);
    writeFileSync(path, `${other.toString('base64')},${one.toString('base64')}\n`);
    expect(readSecretKeyFile(path)).toEqual([other, one]);
  });

  it.each(['', 'not a key', `${one.toString('base64').slice(0, 20)}\n`])(
    'is rejected when it is damaged (%j), left as it is, and not printed',
    (text) => {
      const path = secretKeyPath(folder);
      writeFileSync(path, text);
      expect(() => readSecretKeyFile(path)).toThrow(
        `${path} is damaged: it does not hold a key of 32 bytes in base64; restore it from a backup, or set DATELINE_SECRET_KEY.`,
      );
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('is named with its path where it cannot be read or written', () => {
    const path = secretKeyPath(folder);
    mkdirSync(path);
    expect(() => readSecretKeyFile(path)).toThrow(`${path} cannot be read`);
    const tooLong = join(folder, 'x'.repeat(300));
    expect(() => makeSecretKeyFile(tooLong, one)).toThrow(
      `${tooLong} cannot be written (ENAMETOOLONG); give this user write access, or set DATELINE_SECRET_KEY.`,
    );
  });
});
