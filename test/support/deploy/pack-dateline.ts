import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const { setup } = (await import('../../../tools/setup.mjs' as string)) as { setup(): string };

/**
 * Packs this build as one file with everything that it needs, so that it is installed without a registry: what `npm pack` takes, and
 * beside it the packages of production, as they are installed here. Returns the name of the file.
 */
export function packDateline(folder: string): string {
  setup();
  const root = resolve();
  const staged = join(folder, 'package');
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  );
  run('tar', ['xzf', packed.filename], folder);
  // Not those of the workspaces: the service has what it needs of them in its bundle.
  const listing = ['ls', '--omit=dev', '--all', '--parseable', '--workspaces=false'];
  const installed = run('npm', listing, root).trim().split('\n');
  const modules = installed.filter((path) => path.startsWith(join(root, 'node_modules')));
  for (const path of modules) copyPackage(path, join(staged, relative(root, path)));
  const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'));
  const bundled = {
    ...manifest,
    bundleDependencies: true,
    workspaces: undefined,
    devDependencies: undefined,
  };
  writeFileSync(join(staged, 'package.json'), JSON.stringify(bundled));
  run('tar', ['czf', packed.filename, 'package'], folder);
  return packed.filename;
}

/** Without its own node_modules, which come as packages of their own; a link to a workspace becomes what it leads to. */
function copyPackage(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const source = realpathSync(from);
  cpSync(source, to, {
    recursive: true,
    filter: (path) => !relative(source, path).split('/').includes('node_modules'),
  });
}
