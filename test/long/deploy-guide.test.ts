import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addNode, debianRoot } from '../support/deploy/debian-root.ts';
import { packDateline } from '../support/deploy/pack-dateline.ts';
import { blocksOf } from '../support/service/guide-blocks.ts';

const GUIDE = join('..', 'deploy.md');
const PACKAGES = [
  'systemd-sysv',
  'dbus',
  'postgresql',
  'pgbouncer',
  'nginx-light',
  'prometheus',
  'curl',
  'openssl',
  'ca-certificates',
];

/** Makes a tree the root of a machine with processes, devices and a network of its own, and starts systemd there as the first process. */
const BOOT = `
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc; mount -t sysfs sysfs sys; mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run; mount -t tmpfs tmpfs tmp; mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts; mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr
ip link set lo up
pivot_root . mnt; cd /; umount -l /mnt
exec env -i container=other PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=0`;

const SERVICE = `[Unit]
After=basic.target postgresql.service nginx.service prometheus.service
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
WorkingDirectory=/root
Environment=HOME=/root
ExecStart=/bin/bash -euxo pipefail /root/guide.sh
StandardOutput=file:/root/output
StandardError=inherit
`;

/** After the guide: what it has built works as it says, and a node that stops is missed by nobody. */
const AFTERWARDS = `
systemctl is-active dateline dateline-2 dateline-worker nginx prometheus
key() { node -p "JSON.parse(fs.readFileSync('/var/lib/dateline/quickstart.json', 'utf8')).sandbox.$1"; }
set +x
printf 'token=%s&client_id=%s&client_secret=%s' "$(key access_token)" "$(key client_id)" "$(key client_secret)" > /root/form
set -x
introspect() { curl --silent --fail --cacert /etc/ssl/dateline/fullchain.pem --resolve sandbox.example.com:443:127.0.0.1 --data @/root/form https://sandbox.example.com/v1/oauth2/introspect; }
introspect | grep --only-matching '"active":true'
systemctl stop dateline &
stopping=$!
asked=0
while kill -0 $stopping 2> /dev/null; do introspect > /dev/null; asked=$((asked + 1)); done
introspect > /dev/null
wait $stopping
echo "asked while it stopped: $asked"
systemctl show --property=Result --property=ExecMainStatus dateline
touch /root/done
`;

describe('docs/deploy.md', () => {
  const root = mkdtempSync(join(tmpdir(), 'dateline-machine-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is a Debian machine that serves, command by command as it stands', () => {
    const blocks = blocksOf(GUIDE);
    const commands = blocks.filter(({ language, words }) => language === 'sh' && words === 'run');
    spawn('tar', ['xf', debianRoot('minbase', PACKAGES), '-C', root]);
    addNode(root);
    const home = join(root, 'root');
    cpSync('deploy', join(home, 'deploy'), { recursive: true });
    const packing = join(root, 'packing');
    mkdirSync(packing);
    const packed = packDateline(packing);
    cpSync(join(packing, packed), join(home, packed));
    const script = [
      "trap 'journalctl --no-pager > /root/journal' EXIT",
      ...commands.map(({ text }) => text),
      AFTERWARDS,
    ];
    writeFileSync(join(home, 'guide.sh'), script.join('\n'));
    const system = join(root, 'etc', 'systemd', 'system');
    writeFileSync(join(system, 'guide.service'), SERVICE);
    symlinkSync('../guide.service', join(system, 'multi-user.target.wants', 'guide.service'));
    const spaces = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--net', '--cgroup'];
    spawnSync('unshare', [...spaces, 'bash', '-euc', BOOT, 'boot', root], {
      stdio: 'ignore',
      timeout: 15 * 60_000,
    });
    const output = readFileSync(join(home, 'output'), 'utf8');
    const journal = readFileSync(join(home, 'journal'), 'utf8');
    expect(spawnSync('test', ['-e', join(home, 'done')]).status, `${output}\n${journal}`).toBe(0);
    const shown = blocks.filter(({ language }) => language === 'text');
    expect(shown.length).toBeGreaterThan(2);
    for (const { text } of shown)
      for (const part of text.trimEnd().split('…')) expect(output).toContain(part.trimEnd());
    expect(output).toContain('"active":true');
    expect(Number(/^asked while it stopped: (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(10);
    expect(output).toContain('Result=success\nExecMainStatus=0');
  });
});

function spawn(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
