import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiVersion, nextVersion, previousVersion } from '@dateline/versions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { edit } from '../support/folder/orders-folder.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { current, deprecated, middleOf, next } from '../support/service/build-versions.ts';

const QUARTERS = 4;

describeInLongRuns('dateline contract release, on an API folder', () => {
  let folder: string;
  let head: ApiVersion = next;
  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'dateline-folder-')), 'orders');
    dateline(current, 'init', folder);
    git('init', '-q');
    commit('begin');
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  function git(...args: string[]): string {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  }
  function commit(message: string): void {
    git('add', '-A');
    git('commit', '-qm', message);
  }
  /** At a time when this version is Current. */
  function dateline(at: ApiVersion, ...args: string[]): string {
    const shift = pathToFileURL(resolve('tools/shifted-clock.mjs')).href;
    const env = {
      ...process.env,
      CLOCK_SHIFT_MS: String(Date.parse(middleOf(at)) - Date.now()),
      NODE_OPTIONS: `--import ${shift}`,
    };
    return execFileSync(process.execPath, ['bin/dateline.mjs', ...args], {
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }
  const api = () => ['--api', folder];

  it.each(Array.from({ length: QUARTERS }, (_none, index) => index + 1))(
    'freezes Next and opens the version after it, with a change each time (release %d in a row)',
    (count) => {
      addField(`extra_${count}`);
      expect(dateline(previousVersion(head), 'contract', 'check', ...api())).toContain(head);
      commit(`a field for ${head}`);
      dateline(previousVersion(head), 'contract', 'release', ...api());
      commit(`release ${head}`);
      const frozen = readdirSync(join(folder, 'contract/frozen')).filter((name) => name !== 'lock.json');
      expect(frozen.sort().at(-1)).toBe(head);
      expect(frozen).toHaveLength(3);
      expect(frozen.includes(deprecated)).toBe(count === 1);
      head = nextVersion(head);
      expect(dateline(previousVersion(head), 'contract', 'check', ...api())).toContain(`${head}`);
    },
  );

  /** An optional field of orders, and the module that takes it away from the version before. */
  function addField(name: string): void {
    edit(folder, 'contract/next.yaml', (text) =>
      text.replace('        state: {', `        ${name}: { type: string }\n        state: {`),
    );
    const module = `
const without = ({ ${name}: _new, ...order }) => order;
export const changes = [{
  name: 'add_${name}', kind: 'added', says: 'An order may have ${name}.', why: 'For the test.', upgradeNote: 'Nothing to do.',
  examples: [{ before: null, after: { event: 'order.created', data: { ${name}: 'a' } } }],
  touches: ['orders:**.${name}', 'order.**.${name}'],
  downgradeResponse: {
    'orders:list': (body) => ({ ...body, items: body.items.map(without) }),
    'orders:create': without, 'orders:read': without, 'orders:refund': without,
  },
  downgradeEvent: {
    'order.created': ({ kind, data }) => ({ kind, data: without(data) }),
    'order.refunded': ({ kind, data }) => ({ kind, data: without(data) }),
  },
}];
`;
    writeFileSync(join(folder, `contract/changes/${head}-to-${previousVersion(head)}/index.mjs`), module);
  }
});
