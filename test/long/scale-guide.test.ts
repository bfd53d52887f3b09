import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addNode, debianRoot } from '../support/deploy/debian-root.ts';
import { packDateline } from '../support/deploy/pack-dateline.ts';
import { blocksOf } from '../support/service/guide-blocks.ts';

const PACKAGES = ['postgresql', 'curl', 'openssl', 'ca-certificates'];

/** Runs the guide in a tree, with processes and a network of its own. */
const ENTER = `
ip link set lo up
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mkdir -p "$1/run/postgresql" && chmod 1777 "$1/run/postgresql"
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$1" bash -c 'cd /root && bash -euxo pipefail guide.sh > output 2> errors'`;

/** After the guide: what is revoked is dead on every node at once, again and again, and standbys have answered. */
const AFTERWARDS = `
set +x
for round in $(seq 40); do
  token=$(curl --silent --fail --data "grant_type=client_credentials&client_id=$(key client_id)&client_secret=$(key client_secret)" http://127.0.0.1:4011/v1/oauth2/token | grep --only-matching '"access_token":"[^"]*' | cut --delimiter='"' --fields=4)
  FORM="client_id=$(key client_id)&client_secret=$(key client_secret)&token=$token"
  for port in 4001 4011 4021; do introspect $port | grep --quiet true; done
  curl --silent --fail --data "$FORM" http://127.0.0.1:4011/v1/oauth2/revoke
  for port in 4001 4011 4021; do introspect $port | grep --quiet false; done
done
curl --silent http://127.0.0.1:4011/metrics | grep 'dateline_standby_reads_total.*used'
touch /root/done
`;

describe('docs/scale.md', () => {
  const root = mkdtempSync(join(tmpdir(), 'dateline-machine-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is a primary with two standbys and three nodes, where a revocation is seen at once, command by command as it stands', () => {
    const blocks = blocksOf(join('..', 'scale.md'));
    const commands = blocks.filter(({ language, words }) => language === 'sh' && words === 'run');
    const { status, stderr } = spawnSync('tar', ['xf', debianRoot('minbase', PACKAGES), '-C', root], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    addNode(root);
    const home = join(root, 'root');
    const packing = join(root, 'packing');
    mkdirSync(packing);
    const packed = packDateline(packing);
    cpSync(join(packing, packed), join(home, packed));
    writeFileSync(join(home, 'guide.sh'), [...commands.map(({ text }) => text), AFTERWARDS].join('\n'));
    const spaces = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--net'];
    spawnSync('unshare', [...spaces, 'bash', '-euc', ENTER, 'enter', root], {
      stdio: 'ignore',
      timeout: 8 * 60_000,
    });
    const output = readFileSync(join(home, 'output'), 'utf8');
    const errors = readFileSync(join(home, 'errors'), 'utf8');
    expect(spawnSync('test', ['-e', join(home, 'done')]).status, `${output}\n${errors}`).toBe(0);
    const shown = blocks.filter(({ language }) => language === 'text');
    expect(shown).toHaveLength(3);
    for (const { text } of shown)
      for (const part of text.trimEnd().split('…')) expect(output).toContain(part.trimEnd());
    const used = [...output.matchAll(/^dateline_standby_reads_total\{.*\} (\d+)$/gm)];
    expect(used.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(10);
  });
});
