import { describe, expect, it } from 'vitest';
import { webhookTargetRules } from '../../src/compose/environment-runtime.ts';
import { loadConfig } from '../../src/config/load-config.ts';

describe('webhooks to this machine', () => {
  const mayReach = (env: Record<string, string>, name: 'production' | 'sandbox' = 'sandbox'): boolean =>
    webhookTargetRules(loadConfig(env), name).loopback;

  it('are allowed in a sandbox that only this machine can reach', () => {
    expect(mayReach({})).toBe(true);
    expect(mayReach({ DATELINE_HOST: 'localhost' })).toBe(true);
    expect(mayReach({ DATELINE_SANDBOX_PUBLIC_URL: 'http://127.0.0.1:4001' })).toBe(true);
    expect(mayReach({}, 'production')).toBe(false);
    expect(mayReach({ DATELINE_HOST: '0.0.0.0' })).toBe(false);
  });

  it('are refused behind a proxy on the same machine, which forwards requests of others', () => {
    expect(mayReach({ DATELINE_SANDBOX_PUBLIC_URL: 'https://sandbox.example.com' })).toBe(false);
    expect(mayReach({ DATELINE_TRUSTED_PROXIES: '127.0.0.1' })).toBe(false);
  });
});
