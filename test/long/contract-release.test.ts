import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiVersion, nextVersion, previousVersion } from '@dateline/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deprecated, middleOf, next } from '../support/service/build-versions.ts';

const QUARTERS = 4;

/** A copy of this repository, whose clock shows the time that its build is made for. */
describe('dateline contract release, on a copy of the repository', () => {
  let copy: string;
  let head: ApiVersion = next;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'dateline-repository-'));
    // PostgreSQL runs as another user where this runs as root.
    chmodSync(copy, 0o755);
    for (const file of git(resolve('.'), 'ls-files').split('\n').filter(Boolean)) {
      cpSync(resolve(file), join(copy, file), { recursive: true });
    }
    git(copy, 'init', '-q');
    commit('copy');
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true, maxRetries: 3 }));

  function git(cwd: string, ...args: string[]): string {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
  }

  function commit(message: string): void {
    git(copy, 'add', '-A');
    git(copy, 'commit', '-qm', message);
  }

  /** Runs a command in the copy, at a time when this version is Current; rejects with its whole output. */
  function run(current: ApiVersion, command: string, ...args: string[]): string {
    const shift = pathToFileURL(join(copy, 'tools/shifted-clock.mjs')).href;
    const env = {
      ...process.env,
      CLOCK_SHIFT_MS: String(Date.parse(middleOf(current)) - Date.now()),
      NODE_OPTIONS: `--import ${shift}`,
    };
    try {
      return execFileSync(command, args, {
        cwd: copy,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
        maxBuffer: 2 ** 27,
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      const failed = `${stdout}\n${stderr}`.split('\n').filter((line) => line.includes('FAIL'));
      const said = [...failed, stdout.slice(-20_000), stderr.slice(-5_000)].join('\n');
      throw new Error(`${command} ${args.join(' ')} failed\n${said}`);
    }
  }

  it.each(Array.from({ length: QUARTERS }, (_, index) => index + 1))(
    'yields a tree that builds and passes its own tests (release %d in a row)',
    (count) => {
      const current = previousVersion(head);
      const plan = JSON.parse(
        run(current, 'node', 'bin/dateline.mjs', 'contract', 'release', '--dry-run', '--json'),
      );
      expect(plan).toMatchObject({ freezes: head, opens: nextVersion(head), obstacle: null });
      expect(git(copy, 'status', '--porcelain')).toBe('');

      run(current, 'node', 'bin/dateline.mjs', 'contract', 'release');
      commit(`release ${head}`);
      const frozen = readdirSync(join(copy, 'src/contracts/frozen')).filter((name) => name !== 'lock.json');
      expect(frozen.sort().at(-1)).toBe(head);
      // Around the changeover a build holds four contracts: three files, and head.
      expect(frozen).toHaveLength(3);
      expect(frozen.includes(deprecated)).toBe(count === 1);

      const released = head;
      head = nextVersion(head);
      const output = run(released, 'npm', 'test');
      expect(output).toMatch(/\b[1-9]\d* passed, 0 failed\s*$/);
    },
    30 * 60_000,
  );
});
