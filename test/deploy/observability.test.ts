import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { describeWith } from '../support/run/needs.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const RULES = 'deploy/prometheus/alerts.yaml';
const TESTS = 'deploy/prometheus/alerts.test.yaml';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}
interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const rules: Rule[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const tests: RuleTest[] = parse(readFileSync(TESTS, 'utf8')).tests;
const panels: Panel[] = JSON.parse(readFileSync('deploy/grafana/dateline.json', 'utf8')).panels;

/** The metrics in an expression, by the names that they are exposed under. */
function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(?:dateline|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

describe('dashboards and alerts', () => {
  let folder: string;
  let service: RunningTestService;
  let exposed: ReadonlySet<string>;

  beforeAll(async () => {
    // With all that has numbers: webhooks are delivered, and an API stands behind it.
    folder = copyOrdersFor();
    service = await startTestService(anyEngine, { DATELINE_API: folder, DATELINE_DELIVER: 'on' });
    const text = await (await service.call('production', '/metrics')).text();
    exposed = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
  });
  afterAll(async () => {
    await service?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr]))(
    '%s is about numbers that there are',
    (alert, expr) => {
      const names = metricsIn(expr);
      expect(names.length > 0 || alert === 'DatelineDown').toBe(true);
      expect(names.filter((name) => !exposed.has(name))).toEqual([]);
    },
  );

  it('every plot of the dashboard shows numbers that there are', () => {
    const plots = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(plots.length).toBeGreaterThan(20);
    const empty = plots.filter(({ expr }) => metricsIn(expr).length === 0);
    const unknown = plots.filter(({ expr }) => metricsIn(expr).some((name) => !exposed.has(name)));
    expect([empty, unknown]).toEqual([[], []]);
  });

  it('every number of ours is on the dashboard, or in an alert', () => {
    const exprs = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
    const shown = new Set(exprs.flatMap(metricsIn));
    const ours = [...exposed].filter((name) => name.startsWith('dateline_'));
    expect(ours.filter((name) => !shown.has(name)).sort()).toEqual(NOT_SHOWN);
  });
});

/** Counts of what is no concern of an operator who looks at a dashboard; docs/operating.md has them. */
const NOT_SHOWN = [
  'dateline_events_published_total',
  'dateline_folder_error_failures_total',
  'dateline_removed_rows_total',
  'dateline_unknown_request_parts_total',
  'dateline_upstream_requests_in_flight',
];

describe('every alert', () => {
  const page = readFileSync('docs/alerts.md', 'utf8');

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s says what to do, and is tried',
    (alert, rule) => {
      expect(['page', 'ticket', 'notice']).toContain(rule.labels.severity);
      expect(rule.annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
      const [, section = ''] = page.split(`\n## ${alert}\n`);
      expect(section.split('\n## ', 1)[0]?.trim().length).toBeGreaterThan(80);
      const tried = tests
        .flatMap((test) => test.alert_rule_test)
        .filter(({ alertname }) => alertname === alert);
      expect(tried.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true);
      expect(tried.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
    },
  );

  it('has a section, and no section is about another one', () => {
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });
});

describeWith('promtool', 'promtool', (promtool) => {
  it('accepts the rules', () => {
    expect(execFileSync(promtool, ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it('accepts what is scraped, with the rules beside it', () => {
    const config = 'deploy/prometheus/prometheus.yml';
    expect(execFileSync(promtool, ['check', 'config', config], { encoding: 'utf8' })).toContain(
      '1 rule files found',
    );
  });

  it('finds each alert silent and firing when it must be', () => {
    expect(execFileSync(promtool, ['test', 'rules', TESTS], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});
