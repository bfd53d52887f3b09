import { describe, expect, it } from 'vitest';
import { listenUrl, loadConfig } from '../../src/config/load-config.ts';
import { settingNames } from '../../src/config/settings.ts';
import { settingRows } from '../../src/config/settings-table.ts';

describe('the configuration', () => {
  it('has the documented defaults when nothing is set', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      production: { port: 4000, operatorPort: null, publicUrl: null, operatorKey: null },
      sandbox: { port: 4001, operatorPort: null, publicUrl: null, operatorKey: null },
      dataDir: '.data',
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReadUrls: [],
      databasePoolMax: 8,
      secretKeys: [],
      trustedProxies: [],
      webhookPorts: [443],
      webhookEndpointsMax: 1_000,
      lifetimes: {
        accessTokenSeconds: 3600,
        refreshTokenIdleSeconds: 2_592_000,
        refreshTokenAbsoluteSeconds: 7_776_000,
        rotationGraceSeconds: 60,
        codeSeconds: 60,
        signInIdleSeconds: 7200,
        signInAbsoluteSeconds: 43_200,
        webhookRetentionDays: 90,
      },
      delivers: true,
      requestMs: 20_000,
      drainMs: 0,
      shutdownMs: 10_000,
      logLevel: 'info',
      tracing: null,
      workerPort: null,
      apiFolder: null,
      brand: { name: null, colour: null, logo: null },
      secretFiles: [],
    });
  });

  it('is deeply frozen', () => {
    const config = loadConfig({ DATELINE_TRUSTED_PROXIES: '10.0.0.1' });
    for (const part of [config, config.production, config.sandbox, config.lifetimes, config.trustedProxies]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('treats a variable that is set but empty as not set', () => {
    expect(loadConfig({ DATELINE_PORT: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
  });

  it('removes the trailing slash of a public address, so that paths can be appended', () => {
    expect(loadConfig({ DATELINE_PUBLIC_URL: 'https://api.example.com/' }).production.publicUrl).toBe(
      'https://api.example.com',
    );
  });

  it.each([
    ['DATELINE_PORT', 'eighty', 'DATELINE_PORT must be a whole number from 0 to 65535; "eighty" is not.'],
    ['DATELINE_PORT', '65536', 'DATELINE_PORT must be a whole number from 0 to 65535; "65536" is not.'],
    ['DATELINE_PORT', '-1', 'DATELINE_PORT must be'],
    ['DATELINE_PORT', '40 00', 'DATELINE_PORT must be'],
    ['DATELINE_PUBLIC_URL', 'api.example.com', 'DATELINE_PUBLIC_URL must be an http or https address'],
    ['DATELINE_PUBLIC_URL', 'ftp://example.com', 'DATELINE_PUBLIC_URL must be an http or https address'],
    [
      'DATELINE_PUBLIC_URL',
      'https://example.com/?a=1',
      'DATELINE_PUBLIC_URL must be an http or https address',
    ],
    ['DATELINE_SANDBOX_PUBLIC_URL', 'https://user@example.com', 'DATELINE_SANDBOX_PUBLIC_URL must be'],
    ['DATABASE_URL', 'mysql://localhost/x', 'DATABASE_URL must be a postgres address'],
    ['DATELINE_SECRET_KEY', 'c2hvcnQ=', 'DATELINE_SECRET_KEY must be 32 bytes in base64'],
    ['DATELINE_SECRET_KEY', ',', 'DATELINE_SECRET_KEY must be at least one key of 32 bytes in base64'],
    ['DATELINE_OPERATOR_KEY', 'short', 'DATELINE_OPERATOR_KEY must be 32 to 200 characters'],
    ['DATELINE_TRUSTED_PROXIES', '10.0.0.0/33', 'DATELINE_TRUSTED_PROXIES must be addresses or CIDR blocks'],
    ['DATELINE_TRUSTED_PROXIES', 'proxy.local', 'DATELINE_TRUSTED_PROXIES must be addresses or CIDR blocks'],
    ['DATELINE_WEBHOOK_PORTS', '443,0', 'DATELINE_WEBHOOK_PORTS must be a whole number from 1 to 65535'],
    ['DATELINE_WEBHOOK_PORTS', ',', 'DATELINE_WEBHOOK_PORTS must be at least one port'],
    ['DATELINE_LOG_LEVEL', 'loud', 'DATELINE_LOG_LEVEL must be one of fatal, error'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'OTEL_TRACES_SAMPLER must be one of always_on, always_off'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '1%', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'OTEL_EXPORTER_OTLP_HEADERS must be headers such as'],
    ['DATELINE_DATA_DIR', '  ', 'DATELINE_DATA_DIR must be a string that is not empty'],
  ])('refuses %s=%s with a sentence that names the setting', (name, value, sentence) => {
    expect(() => loadConfig({ [name]: value })).toThrow(sentence);
  });

  it.each([
    'DATABASE_URL',
    'DATELINE_SECRET_KEY',
    'DATELINE_OPERATOR_KEY',
    'DATELINE_SANDBOX_OPERATOR_KEY',
    'OTEL_EXPORTER_OTLP_HEADERS',
  ])('does not repeat a malformed secret (%s)', (name) => {
    expect(() => loadConfig({ [name]: 'hunter2' })).toThrow(/the value given is not\.$/);
    expect(() => loadConfig({ [name]: 'hunter2' })).not.toThrow(/hunter2/);
  });

  it('accepts a new secret key and the old one, separated by a comma', () => {
    const [fresh, old] = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
    const text = `${fresh.toString('base64')}, ${old.toString('base64')}`;
    expect(loadConfig({ DATELINE_SECRET_KEY: text }).secretKeys).toEqual([fresh, old]);
    expect(loadConfig({}).secretKeys).toEqual([]);
  });

  it('reads the settings of traces as OpenTelemetry has them', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant = 7',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    };
    expect(loadConfig(env).tracing).toEqual({
      endpoint: 'https://collector.example/otlp',
      headers: { authorization: 'Bearer abc', 'x-tenant': '7' },
      serviceName: 'dateline',
      timeoutMs: 10_000,
      ratio: 0.01,
      byParent: true,
    });
    expect(loadConfig({ ...env, OTEL_TRACES_SAMPLER: 'always_on' }).tracing).toMatchObject({
      ratio: 1,
      byParent: false,
    });
  });

  it('rejects an unknown DATELINE_… by its name', () => {
    expect(() => loadConfig({ DATELINE_PROT: '4000' })).toThrow(
      /^DATELINE_PROT is not a setting of Dateline/,
    );
  });

  it('rejects one port for both environments', () => {
    expect(() => loadConfig({ DATELINE_PORT: '4001' })).toThrow(
      'DATELINE_PORT and DATELINE_SANDBOX_PORT are the same',
    );
    expect(() => loadConfig({ DATELINE_PORT: '0', DATELINE_SANDBOX_PORT: '0' })).not.toThrow();
    expect(() => loadConfig({ DATELINE_SANDBOX_OPERATOR_PORT: '4000' })).toThrow(
      'DATELINE_PORT and DATELINE_SANDBOX_OPERATOR_PORT are the same',
    );
    expect(() => loadConfig({ DATELINE_WORKER_PORT: '4000' })).toThrow(
      'DATELINE_PORT and DATELINE_WORKER_PORT are the same',
    );
    const free = { DATELINE_OPERATOR_PORT: '0', DATELINE_SANDBOX_OPERATOR_PORT: '0' };
    expect(loadConfig(free).sandbox.operatorPort).toBe(0);
    expect(loadConfig({}).production.operatorPort).toBeNull();
  });

  it('ignores variables without its prefix', () => {
    expect(() => loadConfig({ PORT: 'x', HOME: '/root', NODE_ENV: 'test' })).not.toThrow();
  });
});

describe('the table of settings', () => {
  it('lists every setting with its value and its origin', () => {
    const rows = settingRows({ DATELINE_PORT: '5000' });
    expect(rows.map((row) => row.name)).toEqual(settingNames);
    expect(rows.find((row) => row.name === 'DATELINE_PORT')).toMatchObject({
      value: '5000',
      origin: 'environment',
    });
    expect(rows.find((row) => row.name === 'DATELINE_HOST')).toMatchObject({
      value: '127.0.0.1',
      origin: 'default',
    });
  });

  it('shows secrets as "set" only', () => {
    const secrets = {
      DATABASE_URL: 'postgres://me:hunter2@db/x',
      DATELINE_OPERATOR_KEY: 'hunter2'.repeat(6),
      DATELINE_SECRET_KEY: Buffer.alloc(32, 'hunter2').toString('base64'),
    };
    const rows = settingRows(secrets);
    for (const name of Object.keys(secrets)) {
      expect(rows.find((row) => row.name === name)).toMatchObject({ value: 'set', origin: 'environment' });
    }
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });
});

describe('the listen address', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', 'http://[::1]:4000'],
    ['::1', 'http://[::1]:4000'],
    ['localhost', 'http://localhost:4000'],
  ])('of %s can be called as %s', (host, url) => {
    expect(listenUrl(host, 4000)).toBe(url);
  });
});
