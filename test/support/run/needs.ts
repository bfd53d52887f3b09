import { existsSync, readdirSync } from 'node:fs';
import { describe } from 'vitest';
import { isFullMatrix } from '../database/databases.ts';

interface Programs {
  programs: Readonly<
    Record<'chromium' | 'promtool' | 'pgbouncer' | 'systemdAnalyze' | 'nginx' | 'haproxy', unknown>
  >;
  pathOf(program: unknown): string | undefined;
  missingPrograms(): unknown[];
  skippedWithout(missing: readonly unknown[]): string[];
}

/** Programs that tests need and npm does not install. `.ci/run` installs them, from the same list. */
const {
  programs,
  pathOf,
  missingPrograms: findMissing,
  skippedWithout,
} = (await import('../../../tools/programs.mjs' as string)) as Programs;

/** A program of which a test needs more than one file. It is taken as Debian installs it. */
interface Installed {
  name: string;
  packages: string;
  path: string;
  alongside: readonly string[];
}

/** So that a program sees the time of the service: see `atTimeOf` in test/stock/start-program.ts. */
const faketime = existsSync('/usr/lib')
  ? readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
  : [];
const FAKETIME = faketime.find((file) => existsSync(file)) ?? 'libfaketime';
const PYTHON_PACKAGES = '/usr/lib/python3/dist-packages';
const GO_PACKAGES = '/usr/share/gocode/src';
const APACHE_MODULES = '/usr/lib/apache2/modules';

/** The same for long runs alone, which are done by hand: CONTRIBUTING.md names the packages. */
const programsOfLongRuns = {
  nginx: { name: 'nginx', packages: 'nginx-light', path: '/usr/sbin/nginx', alongside: [] },
  pythonRequests: {
    name: 'requests for Python',
    packages: 'python3-requests',
    path: '/usr/bin/python3',
    alongside: [`${PYTHON_PACKAGES}/requests`],
  },
  authlib: {
    name: 'authlib',
    packages: 'python3-authlib python3-requests libfaketime',
    path: '/usr/bin/python3',
    alongside: [`${PYTHON_PACKAGES}/authlib`, `${PYTHON_PACKAGES}/requests`, FAKETIME],
  },
  requestsOauthlib: {
    name: 'requests-oauthlib',
    packages: 'python3-requests-oauthlib libfaketime',
    path: '/usr/bin/python3',
    alongside: [`${PYTHON_PACKAGES}/requests_oauthlib`, FAKETIME],
  },
  socialCore: {
    name: 'social-core',
    packages: 'python3-social-auth-core python3-jose libfaketime',
    path: '/usr/bin/python3',
    alongside: [`${PYTHON_PACKAGES}/social_core`, `${PYTHON_PACKAGES}/jose`, FAKETIME],
  },
  rubyOauth2: {
    name: 'ruby-oauth2',
    packages: 'ruby-oauth2 libfaketime',
    path: '/usr/bin/ruby',
    alongside: ['/usr/lib/ruby/vendor_ruby/oauth2.rb', FAKETIME],
  },
  omniauth: {
    name: 'omniauth_openid_connect',
    packages: 'ruby-omniauth-openid-connect libfaketime',
    path: '/usr/bin/ruby',
    alongside: ['/usr/share/doc/ruby-omniauth-openid-connect', FAKETIME],
  },
  goOidc: {
    name: 'go-oidc',
    packages: 'golang-go golang-golang-x-oauth2-dev golang-github-coreos-go-oidc-dev',
    path: '/usr/bin/go',
    alongside: [`${GO_PACKAGES}/golang.org/x/oauth2`, `${GO_PACKAGES}/github.com/coreos/go-oidc`],
  },
  lwpOauth2: {
    name: 'LWP::Authen::OAuth2',
    packages: 'liblwp-authen-oauth2-perl libfaketime',
    path: '/usr/bin/perl',
    alongside: ['/usr/share/perl5/LWP/Authen/OAuth2.pm', FAKETIME],
  },
  dovecot: {
    name: 'Dovecot',
    packages: 'dovecot-imapd',
    path: '/usr/sbin/dovecot',
    alongside: ['/usr/lib/dovecot/imap'],
  },
  modAuthOpenidc: {
    name: 'mod_auth_openidc',
    packages: 'libapache2-mod-auth-openidc libfaketime',
    path: '/usr/sbin/apache2',
    alongside: [`${APACHE_MODULES}/mod_auth_openidc.so`, FAKETIME],
  },
  modOauth2: {
    name: 'mod_oauth2',
    packages: 'libapache2-mod-oauth2 libfaketime',
    path: '/usr/sbin/apache2',
    alongside: [`${APACHE_MODULES}/mod_oauth2.so`, FAKETIME],
  },
  oidcAgent: {
    name: 'oidc-agent',
    packages: 'oidc-agent-cli',
    path: '/usr/bin/oidc-gen',
    alongside: ['/usr/bin/oidc-agent', '/usr/bin/oidc-token'],
  },
} as const satisfies Record<string, Installed>;

/** The path of PgBouncer, which a run through it cannot do without. */
export function requirePgBouncer(): string {
  const path = pathOf(programs.pgbouncer);
  if (path === undefined) throw new Error('PgBouncer is missing: install it, or set PGBOUNCER_PATH.');
  return path;
}

/** Tests that need a program. Where it is missing they are skipped, and the run says so once. */
export function describeWith(
  program: keyof Programs['programs'],
  title: string,
  tests: (path: string) => void,
): void {
  const path = pathOf(programs[program]);
  describe.skipIf(path === undefined)(title, () => tests(path ?? ''));
}

/** The same for a suite of the long runs. */
export function describeInLongRunsWith(
  program: keyof typeof programsOfLongRuns,
  title: string,
  tests: (path: string) => void,
): void {
  const { path } = programsOfLongRuns[program];
  describe.runIf(isFullMatrix && isInstalled(programsOfLongRuns[program]))(title, () => tests(path));
}

/** A sentence for each program that is missing in this run; where all are required, it does not begin. */
export function missingPrograms(): string[] {
  const missingInLongRuns = Object.values(programsOfLongRuns)
    .filter((program) => isFullMatrix && !isInstalled(program))
    .map(
      ({ name, packages }) =>
        `Tests that need ${name} are skipped, because there is none: install it (on Debian: ${packages}).`,
    );
  return [...skippedWithout(findMissing()), ...missingInLongRuns];
}

function isInstalled({ path, alongside }: Installed): boolean {
  return [path, ...alongside].every((file) => existsSync(file));
}
