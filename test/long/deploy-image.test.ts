import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addNode, debianRoot } from '../support/deploy/debian-root.ts';
import { packDateline } from '../support/deploy/pack-dateline.ts';

const IMAGE = 'localhost/dateline-of-a-test';
const NODE_IMAGE = 'localhost/dateline-node-of-a-test';
const BASE_IMAGE = 'localhost/dateline-base-of-a-test';
const IMAGE_BYTES_MAX = 300e6;

const run = (command: string, args: readonly string[], options: object = {}): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options });

/** crun refuses a machine that has both kinds of control groups; so the programs are shown the second kind alone. */
const podman = (...args: readonly string[]): string =>
  run('unshare', [
    '--mount',
    'bash',
    '-euc',
    'mount --make-rprivate /; mount -t cgroup2 none /sys/fs/cgroup; exec podman "$@"',
    'podman',
    ...args,
  ]);

/** The container may do nothing that the manifests and compose.yaml do not allow either. */
const CONFINED = [
  '--read-only',
  '--cap-drop',
  'all',
  '--security-opt',
  'no-new-privileges',
  '--network',
  'none',
];
const HERE = ['--cgroups=disabled', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];

describe('the image of deploy/Dockerfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-image-'));
  beforeAll(() => {
    podman('import', debianRoot('extract', ['libstdc++6', 'base-files', 'tzdata']), BASE_IMAGE);
    buildNodeImage();
    const context = join(folder, 'context');
    mkdirSync(context);
    const packed = packDateline(folder);
    cpSync(join(folder, packed), join(context, packed));
    const images = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--build-arg', `BASE_IMAGE=${BASE_IMAGE}`];
    build(IMAGE, 'deploy/Dockerfile', context, images);
  }, 15 * 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    podman('rmi', '--force', IMAGE, NODE_IMAGE, BASE_IMAGE);
  });

  function buildNodeImage(): void {
    const root = join(folder, 'node');
    addNode(root);
    const system = `${NODE_IMAGE}-system`;
    podman('import', debianRoot('minbase', ['ca-certificates']), system);
    writeFileSync(join(root, 'Dockerfile'), `FROM ${system}\nCOPY usr /usr\n`);
    build(NODE_IMAGE, join(root, 'Dockerfile'), root);
  }

  /** In the chroot of Buildah: there is no network of a container here. */
  function build(tag: string, file: string, context: string, args: readonly string[] = []): void {
    run('buildah', [
      'bud',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      ...args,
      '-t',
      tag,
      '-f',
      file,
      context,
    ]);
  }

  /** A running container; it is removed after the test. */
  function start(...args: readonly string[]) {
    const name = `dateline-${randomUUID()}`;
    podman('run', '--detach', '--name', name, ...CONFINED, ...HERE, ...args);
    onTestFinished(() => void podman('rm', '--force', name));
    return {
      name,
      log: () => podman('logs', name) + run('bash', ['-c', `podman logs ${name} 2>&1 >/dev/null`]),
      /** Its exit code, after it was asked to stop: 137 would be that it did not. */
      stop: () => {
        podman('stop', '--time', '30', name);
        return podman('inspect', '--format', '{{.State.ExitCode}}', name).trim();
      },
    };
  }

  it('is small, runs as nobody of note, and says how its health is asked', () => {
    const [{ Config, Size }] = JSON.parse(podman('image', 'inspect', IMAGE));
    expect(Size).toBeLessThan(IMAGE_BYTES_MAX);
    expect([Config.User, Config.StopSignal]).toEqual(['65532:65532', 'SIGTERM']);
    expect(Object.keys(Config.ExposedPorts)).toEqual(['4000/tcp', '4001/tcp']);
    const [{ Healthcheck }] = JSON.parse(podman('image', 'inspect', IMAGE));
    expect(Healthcheck.Test.slice(0, 2)).toEqual(['CMD', 'node']);
  });

  it('serves on a read-only root file system, is healthy, and stops when it is asked to', async () => {
    const container = start(IMAGE);
    await expect.poll(container.log, { timeout: 120_000, interval: 1000 }).toContain('ready sandbox');
    podman('healthcheck', 'run', container.name);
    const look = `console.log(process.getuid()); try { fs.writeFileSync('/x', ''); } catch (error) { console.log(error.code); }`;
    expect(podman('exec', container.name, 'node', '-e', look).trim().split('\n')).toEqual(['65532', 'EROFS']);
    expect(() => podman('exec', container.name, '/bin/sh', '-c', 'true')).toThrow(/executable file/);
    expect(container.stop()).toBe('0');
    expect(container.log()).toContain('"msg":"stopped"');
  });

  it('is unhealthy where nothing answers', () => {
    const container = start('--env', 'DATELINE_WORKER_PORT=9', '--env', 'DATELINE_LOG_LEVEL=fatal', IMAGE);
    expect(() => podman('healthcheck', 'run', container.name)).toThrow();
  });

  it('stops when it is asked to while it starts, although it is the first process', async () => {
    const container = start('--env', 'DATABASE_URL=postgres://nobody@127.0.0.1:9/none', IMAGE);
    await expect
      .poll(container.log, { timeout: 60_000, interval: 500 })
      .toContain('Waiting for the database');
    expect(container.stop()).toBe('0');
  });
});
