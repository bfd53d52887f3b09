import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/settings.ts';
import { blocksOf } from '../support/service/guide-blocks.ts';

const COMMANDS_MAX = 30;
/** A text that a command is given (a here-document). */
const GIVEN_TEXT = /<<EOF\n([\s\S]*?)^EOF$/gm;
/** One that holds settings. */
const SETTINGS = /\.env <<EOF\n([\s\S]*?)^EOF$/gm;

/** The blocks that a long run runs on a machine. */
const script = blocksOf(join('..', 'deploy.md'))
  .filter(({ language, words }) => language === 'sh' && words === 'run')
  .map(({ text }) => text)
  .join('');
const commands = script
  .replaceAll(GIVEN_TEXT, '')
  .split('\n')
  .filter((line) => line !== '');
const given = [...script.matchAll(SETTINGS)].flatMap(([, text = '']) => text.trimEnd().split('\n'));
const valuesGiven = (setting: string): string[] =>
  given.filter((line) => line.startsWith(`${setting}=`)).map((line) => line.slice(setting.length + 1));

describe('docs/deploy.md', () => {
  it('needs at most 30 commands', () => {
    expect(commands.length).toBeGreaterThan(15);
    expect(commands.length).toBeLessThanOrEqual(COMMANDS_MAX);
  });

  it('uses files that there are, and settings that there are', () => {
    const files = commands.flatMap((line) => line.match(/\bdeploy\/[\w./-]+\w/g) ?? []);
    expect(files).toContain('deploy/nginx/dateline.conf');
    for (const file of files) expect([file, existsSync(file)]).toEqual([file, true]);
    for (const line of given) expect(settings).toHaveProperty(line.slice(0, line.indexOf('=')));
  });

  it('has Prometheus scrape the ports of operators, and that of the worker', () => {
    const [, workerPort] =
      /DATELINE_WORKER_PORT=(\d+)/.exec(readFileSync('deploy/systemd/dateline-worker.service', 'utf8')) ?? [];
    const ports = [
      ...valuesGiven('DATELINE_OPERATOR_PORT'),
      ...valuesGiven('DATELINE_SANDBOX_OPERATOR_PORT'),
      workerPort,
    ];
    const { scrape_configs: jobs } = parse(readFileSync('deploy/prometheus/prometheus.yml', 'utf8'));
    expect(jobs).toHaveLength(1);
    expect(jobs[0].job_name).toBe('dateline');
    expect(jobs[0].static_configs[0].targets.sort()).toEqual(ports.map((port) => `127.0.0.1:${port}`).sort());
  });

  it('lets no secret be seen in the list of processes', () => {
    // The shell itself runs `echo`; every other command's words are there for all to read.
    const seen = commands.filter((line) => /\$\{?\w*PASSWORD/.test(line));
    expect(seen.every((line) => line.startsWith('echo '))).toBe(true);
    expect(seen).toHaveLength(1);
  });
});
