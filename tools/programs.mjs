import { existsSync } from 'node:fs';

/**
 * Programs that `npm test` needs and npm does not install: where the tests look for them, and what `.ci/run` installs.
 * @type {Readonly<Record<string, { name: string, setting: string, path: string, alsoAt?: string, debianPackage: string }>>}
 */
export const programs = {
  chromium: {
    name: 'Chromium',
    setting: 'CHROMIUM_PATH',
    // Draws the same without a window of its own, for two thirds of the time.
    path: '/usr/bin/chromium-headless-shell',
    alsoAt: '/usr/bin/chromium',
    debianPackage: 'chromium-headless-shell',
  },
  promtool: {
    name: 'promtool',
    setting: 'PROMTOOL_PATH',
    path: '/usr/bin/promtool',
    debianPackage: 'prometheus',
  },
  pgbouncer: {
    name: 'PgBouncer',
    setting: 'PGBOUNCER_PATH',
    path: '/usr/sbin/pgbouncer',
    debianPackage: 'pgbouncer',
  },
  systemdAnalyze: {
    name: 'systemd-analyze',
    setting: 'SYSTEMD_ANALYZE_PATH',
    path: '/usr/bin/systemd-analyze',
    debianPackage: 'systemd',
  },
  nginx: {
    name: 'nginx',
    setting: 'NGINX_PATH',
    path: '/usr/sbin/nginx',
    debianPackage: 'nginx-light',
  },
  haproxy: {
    name: 'HAProxy',
    setting: 'HAPROXY_PATH',
    path: '/usr/sbin/haproxy',
    debianPackage: 'haproxy',
  },
};

/** Where a program is; undefined if it is missing. */
export function pathOf({ setting, path, alsoAt }) {
  return [process.env[setting], path, alsoAt].find((file) => file !== undefined && existsSync(file));
}

/** The programs that are missing here. */
export function missingPrograms() {
  return Object.values(programs).filter((program) => pathOf(program) === undefined);
}

/** Sentences about the tests that are skipped without them. Throws if every program is required. */
export function skippedWithout(missing, env = process.env) {
  const sentences = missing.map(
    ({ name, setting }) =>
      `Tests that need ${name} are skipped, because there is none: install it, or set ${setting} to its path.`,
  );
  if (env.TEST_PROGRAMS === 'required' && sentences.length > 0)
    throw new Error(`TEST_PROGRAMS is "required", and programs are missing. ${sentences.join(' ')}`);
  return sentences;
}
