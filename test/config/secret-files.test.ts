import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { settingNames, settings } from '../../src/config/settings.ts';
import { settingRows } from '../../src/config/settings-table.ts';
import { StartupError } from '../../src/errors/startup-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'dateline-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

const KEY = 'hunter2'.repeat(6);
const SECRET = Buffer.alloc(32, 'hunter2');
/** A value of every secret setting, and where the configuration has it. */
const given: Record<
  string,
  { text: string; read(config: ReturnType<typeof loadConfig>): unknown; is: unknown }
> = {
  DATABASE_URL: {
    text: 'postgres://me:hunter2@db/x',
    read: (config) => config.databaseUrl,
    is: 'postgres://me:hunter2@db/x',
  },
  DATELINE_SECRET_KEY: {
    text: SECRET.toString('base64'),
    read: (config) => config.secretKeys,
    is: [SECRET],
  },
  DATELINE_OPERATOR_KEY: { text: KEY, read: (config) => config.production.operatorKey, is: KEY },
  DATELINE_SANDBOX_OPERATOR_KEY: { text: KEY, read: (config) => config.sandbox.operatorKey, is: KEY },
  OTEL_EXPORTER_OTLP_HEADERS: {
    text: 'authorization=Bearer%20hunter2',
    read: (config) => config.tracing?.headers,
    is: { authorization: 'Bearer hunter2' },
  },
};
const secrets = settingNames.filter((name) => 'secret' in settings[name]);

describe('a secret in a file', () => {
  it.each(Object.keys(given))(
    'is read from the file that %s_FILE names, without its last line break',
    (name) => {
      const { text, read, is } = given[name] as (typeof given)[string];
      const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
      for (const end of ['', '\n', '\r\n']) {
        const config = loadConfig({ ...tracing, [`${name}_FILE`]: file('secret', text + end) });
        expect(read(config)).toEqual(is);
      }
    },
  );

  it('may hold every secret setting, and no other one', () => {
    expect(secrets).toEqual(expect.arrayContaining(Object.keys(given)));
    for (const name of settingNames.filter((one) => one.startsWith('DATELINE_'))) {
      const load = () => loadConfig({ [`${name}_FILE`]: join(folder, 'none') });
      expect(load).toThrow(
        secrets.includes(name)
          ? `${name}_FILE: ${join(folder, 'none')} does not exist; create it, or correct the path.`
          : `${name}_FILE is not a setting of Dateline`,
      );
    }
  });

  it('is refused where the setting is given too, by both names', () => {
    const env = { DATELINE_OPERATOR_KEY: KEY, DATELINE_OPERATOR_KEY_FILE: file('key', KEY) };
    expect(() => loadConfig(env)).toThrow(
      /^DATELINE_OPERATOR_KEY and DATELINE_OPERATOR_KEY_FILE are both set; keep one of them\.$/,
    );
    expect(loadConfig({ ...env, DATELINE_OPERATOR_KEY: '' }).production.operatorKey).toBe(KEY);
    expect(loadConfig({ ...env, DATELINE_OPERATOR_KEY_FILE: '' }).production.operatorKey).toBe(KEY);
  });

  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'folder'));
  it.each([
    ['is empty', file('empty', ''), 'is empty; write the secret into it.'],
    ['has line breaks only', file('blank', ' \n\n'), 'is empty; write the secret into it.'],
    [
      'has two lines',
      file('two', `${KEY}\n${KEY}\n`),
      'has more than one line; write the secret alone into it.',
    ],
    [
      'is too large',
      file('large', 'hunter2\n'.repeat(10_000)),
      'is larger than 64 KiB; name the file that holds the secret alone.',
    ],
    ['is a folder', join(folder, 'folder'), 'is a folder; name the file in it.'],
    ['is a pipe', pipe, 'is not an ordinary file; name one that holds the secret.'],
    ['is below a file', join(folder, 'empty', 'x'), 'cannot be read (ENOTDIR); give this user access to it.'],
  ])('is refused by its path, not its content, where the file %s', (_, path, reason) => {
    expect(() => loadConfig({ DATELINE_SECRET_KEY_FILE: path })).toThrow(
      new StartupError(`DATELINE_SECRET_KEY_FILE: ${path} ${reason}`),
    );
  });

  it.each(Object.keys(given))('is not repeated where %s does not fit what was expected', (name) => {
    const path = file('wrong', 'hunter2 \u0000');
    const load = () => loadConfig({ [`${name}_FILE`]: path });
    expect(load).toThrow(new RegExp(`^${name} must be .*; the content of ${path} is not\\.$`));
    expect(load).not.toThrow(/hunter2/);
  });

  it('is "set" in the table of settings, which names the file', () => {
    const env = Object.fromEntries(
      Object.entries(given).map(([name, { text }]) => [`${name}_FILE`, file(name, text)]),
    );
    const rows = settingRows(env);
    for (const name of Object.keys(given)) {
      const row = rows.find((one) => one.name === name);
      expect(row).toMatchObject({ value: 'set', origin: `from file ${join(folder, name)}` });
    }
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });
});
