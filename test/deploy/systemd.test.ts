import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopLimitMs } from '../../src/cli/process-end.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { describeWith } from '../support/run/needs.ts';
import { startOptions } from '../support/service/spawn-dateline.ts';

const FOLDER = 'deploy/systemd';
const units = readdirSync(FOLDER);
/** As systemd rates it: 0 is confined, 10 is not at all. */
const EXPOSURE_MAX = 3;

/** The values of a key, one for each line that has it. */
function valuesOf(unit: string, key: string): string[] {
  const lines = readFileSync(join(FOLDER, unit), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
}

function environmentOf(unit: string): Record<string, string> {
  const pairs = valuesOf(unit, 'Environment').flatMap((line) => line.split(' '));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

describe('the units', () => {
  it('are a node and a worker', () => {
    expect(units.map((unit) => [unit, valuesOf(unit, 'ExecStart')])).toEqual([
      ['dateline-worker.service', ['dateline worker']],
      ['dateline.service', ['dateline serve']],
    ]);
  });

  it.each(units)('%s sets settings that there are, and waits longer than a stop takes', (unit) => {
    const env = environmentOf(unit);
    const config = loadConfig(env);
    expect(Number(valuesOf(unit, 'TimeoutStopSec')) * 1000).toBeGreaterThan(stopLimitMs(config));
    expect(env.NODE_OPTIONS).toBe(startOptions());
  });

  it('serve on while load balancers take the node out', () => {
    expect(loadConfig(environmentOf('dateline.service')).drainMs).toBeGreaterThan(0);
  });
});

describeWith('systemdAnalyze', 'systemd', (analyze) => {
  let root: string;
  /** The tree that systemd looks at: its own units, ours, and a program at the place where npm installs it. */
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'dateline-units-'));
    const system = join(root, 'usr', 'lib', 'systemd', 'system');
    cpSync('/usr/lib/systemd/system', system, { recursive: true, verbatimSymlinks: true });
    for (const unit of units) cpSync(join(FOLDER, unit), join(system, unit));
    const program = join(root, 'usr', 'local', 'bin', 'dateline');
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(units)('finds nothing wrong in %s', (unit) => {
    const { stdout, stderr } = spawnSync(analyze, ['verify', '--man=no', `--root=${root}`, unit], {
      encoding: 'utf8',
    });
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('dateline'));
    expect(ours).toEqual([]);
    const broken = join(root, 'usr', 'lib', 'systemd', 'system', 'dateline-broken.service');
    writeFileSync(broken, '[Service]\nExecStart=/no/such/program\n');
    const found = spawnSync(analyze, ['verify', '--man=no', `--root=${root}`, 'dateline-broken.service'], {
      encoding: 'utf8',
    });
    expect(found.stderr).toContain('dateline-broken.service: Command /no/such/program is not executable');
  });

  it.each(units)('rates the exposure of %s below 3', (unit) => {
    const { stdout } = spawnSync(analyze, ['security', '--offline=yes', '--no-pager', join(FOLDER, unit)], {
      encoding: 'utf8',
    });
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+) /.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(EXPOSURE_MAX);
  });
});
