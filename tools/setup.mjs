// Brings a fresh clone to where it can run: installs and builds what is missing or out of date. Uses nothing but Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const lockFile = join(root, 'package-lock.json');
const installedMark = join(root, 'node_modules', '.package-lock.json');
const buildMark = join(root, 'dist', '.built-from');
const lookMark = join(root, 'dist', '.looked-at');
const builtEngine = join(root, 'versions', 'dist', 'index.js');
const turn = join(root, '.setup-in-progress');

const SOURCES = [
  ...['src', 'versions/src', 'console/src', 'console/vite.config.ts'],
  ...['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
  ...['tools/bundle.mjs', 'tools/make-blank-database.mjs', 'tools/release/licences.mjs'],
];

export const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const bundler = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

const toStandardError = (sentence) => console.error(sentence);

/** Installs and builds; answers with the address of what is built. */
export function setup(say = toStandardError) {
  if (!isSetUp()) {
    takeTurns(say, () => {
      if (!isInstalled()) install(say);
      if (!isBuilt()) build(say);
    });
  }
  return pathToFileURL(join(root, 'dist', '/')).href;
}

/** Installs, and builds nothing. */
export function setupInstalled(say = toStandardError) {
  if (isInstalled()) return;
  takeTurns(say, () => {
    if (!isInstalled()) install(say);
  });
}

export function isSetUp() {
  return isInstalled() && isBuilt();
}

function isInstalled() {
  return existsSync(installedMark) && statSync(installedMark).mtimeMs >= statSync(lockFile).mtimeMs;
}

/** Sizes and times first, which are quick to read; of files that were only touched, the content decides. */
function isBuilt() {
  if (![buildMark, lookMark, builtEngine].every((file) => existsSync(file))) return false;
  return (
    readFileSync(lookMark, 'utf8') === sourcesLook() || readFileSync(buildMark, 'utf8') === sourcesHash()
  );
}

function install(say) {
  say('Installing dependencies (npm ci); this takes a while the first time');
  run(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    'npm ci failed: read what it said above',
  );
}

function build(say) {
  say('Building');
  // What is edited from here on belongs to the next build.
  const [look, hash] = [sourcesLook(), sourcesHash()];
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const problem = 'the build failed: read what the compiler said above';
  run(process.execPath, [join(root, 'versions', 'build.mjs')], problem);
  // More threads of the compiler do much of their work twice.
  run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--checkers', '2'], problem);
  copyData(join(root, 'dist'));
  run(process.execPath, [bundler, 'build', join(root, 'console'), '--logLevel', 'warn'], problem);
  run(
    process.execPath,
    [join(root, 'tools', 'contract-check', 'refuse-api-problems.mjs')],
    'the API cannot be built, for the reasons above; "npx dateline contract check" names them again',
  );
  run(process.execPath, [join(root, 'tools', 'bundle.mjs'), join(root, 'dist')], problem);
  copyBlankDatabase();
  writeFileSync(lookMark, look);
  writeFileSync(buildMark, hash);
}

/** The compiler leaves everything behind that is not TypeScript. */
export function copyData(target) {
  const template = join(root, 'src', 'api', 'folder', 'template');
  for (const file of filesBelow(join(root, 'src'))) {
    if (/\.(sql|json|css|js|svg)$/.test(file) || file.startsWith(template))
      cpSync(file, join(target, file.slice(join(root, 'src').length)));
  }
}

/** Made once for each PGlite and its migrations, because it takes seconds. */
function copyBlankDatabase() {
  const cache = join(root, 'node_modules', '.cache', 'dateline');
  const kept = join(cache, `blank-database-${blankHash()}.tar.gz`);
  if (!existsSync(kept)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    run(
      process.execPath,
      [join(root, 'tools', 'make-blank-database.mjs'), kept],
      'no blank database could be made: read what was said above',
    );
  }
  cpSync(kept, join(root, 'dist', 'storage', 'blank-database.tar.gz'));
}

function blankHash() {
  const made = join(root, 'tools', 'make-blank-database.mjs');
  const pglite = join(root, 'node_modules', '@electric-sql', 'pglite', 'package.json');
  const migrations = filesBelow(join(root, 'src')).filter((file) => file.endsWith('.sql'));
  return hashOf([made, pglite, ...migrations]).slice(0, 16);
}

function run(command, args, problem) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(`dateline: ${problem}`);
  process.exit(1);
}

function sourcesHash() {
  return hashOf(SOURCES.flatMap((source) => filesBelow(join(root, source))));
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function sourcesLook() {
  const lines = SOURCES.flatMap((source) => filesBelow(join(root, source))).map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file.slice(root.length)} ${size} ${mtimeMs}`;
  });
  return lines.join('\n');
}

function filesBelow(path) {
  return statSync(path).isDirectory() ? filesIn(path) : [path];
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

/** Several commands may be started at once on a fresh clone: one sets up, the others wait for it. */
export function takeTurns(say, work) {
  let isSaid = false;
  while (!take()) {
    if (!isSaid) say('Waiting for another process that is setting up this folder');
    isSaid = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  // A failed step ends the process, which `finally` would not see.
  const giveBack = () => rmSync(turn, { recursive: true, force: true });
  process.on('exit', giveBack);
  work();
  process.off('exit', giveBack);
  giveBack();
}

function take() {
  try {
    mkdirSync(turn);
    writeFileSync(join(turn, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld()) rmSync(turn, { recursive: true, force: true });
    return false;
  }
}

function isHeld() {
  try {
    const pid = Number(readFileSync(join(turn, 'pid'), 'utf8'));
    // In a container every process may have the number of the one that died.
    if (pid === process.pid) return false;
    if (pid > 0) return process.kill(pid, 0);
    throw new Error('there is no number in it');
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    // Without the file yet, its owner is just about to write it, unless it died right there.
    const madeAt = statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return error.code === 'EPERM' || Date.now() - madeAt < 5_000;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) setup();
