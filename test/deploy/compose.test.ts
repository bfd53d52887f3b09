import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { stopLimitMs } from '../../src/cli/process-end.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true });
const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
const { postgres, proxy, ...ours } = compose.services;
const processes = Object.entries(ours).map(
  // biome-ignore lint/suspicious/noExplicitAny: a service of Compose has no type here.
  ([name, service]: [string, any]) => [name, service, loadConfig(service.environment)] as const,
);

describe('compose.yaml', () => {
  it('has PostgreSQL, two nodes, a worker, and a proxy', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['node-1', 'node-2', 'postgres', 'proxy', 'worker']);
    expect(processes.map(([name, { command = ['serve'] }]) => [name, command])).toEqual([
      ['node-1', ['serve']],
      ['node-2', ['serve']],
      ['worker', ['worker']],
    ]);
  });

  it.each(processes)('%s has more time to stop than it takes', (_name, service, config) => {
    const [, seconds] = /^(\d+)s$/.exec(service.stop_grace_period) ?? [];
    expect(config.drainMs).toBeGreaterThan(0);
    expect(Number(seconds) * 1000).toBeGreaterThan(stopLimitMs(config));
  });

  it.each(processes)('%s has a read-only root file system and no rights to lose', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const [, folder] = /DATELINE_DATA_DIR=(\S+)/.exec(dockerfile) ?? [];
    expect(dockerfile).toContain(`\nVOLUME ${folder}\n`);
    expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(service.user).toBeUndefined();
  });

  it('has the nodes serve and the worker deliver, with probes', () => {
    for (const [, , config] of processes) expect(config.delivers).toBe(false);
    expect(processes.find(([name]) => name === 'worker')?.[2].workerPort).toBe(4200);
  });

  it('lets everybody reach the proxy alone, and operators from this machine', () => {
    const published = Object.entries<{ ports?: string[] }>(compose.services).flatMap(
      ([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`),
    );
    expect(published.sort()).toEqual([
      'node-1 127.0.0.1:4100:4100',
      'node-1 127.0.0.1:4101:4101',
      'proxy 443:8443',
    ]);
    for (const [, , config] of processes)
      expect([config.production.operatorPort, config.sandbox.operatorPort]).toEqual([4100, 4101]);
    expect(postgres.networks).toEqual(['inside']);
    expect(compose.networks.inside.internal).toBe(true);
    expect(Object.keys(proxy.networks)).toEqual(['outside']);
  });

  it('has nodes believe the proxy, and nobody else', () => {
    for (const [, , config] of processes)
      expect(config.trustedProxies).toEqual([proxy.networks.outside.ipv4_address]);
  });

  it('gives HAProxy every value that its configuration asks for', () => {
    const shipped = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8');
    const asked = [...shipped.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(Object.keys(proxy.environment)));
    const nodes = ['NODE_1', 'NODE_2', 'NODE_1_SANDBOX', 'NODE_2_SANDBOX'].map(
      (name) => proxy.environment[name],
    );
    expect(nodes).toEqual(['node-1:4000', 'node-2:4000', 'node-1:4001', 'node-2:4001']);
    const [mounted = ''] = proxy.volumes.map((volume: string) => volume.split(':')[0]);
    expect(existsSync(join('deploy', mounted))).toBe(true);
  });
});
