// What `dateline contract check` runs on in a clone: the sources as they are, compiled without a look at their types, so
// that contracts can be checked while the rest of the tree does not compile.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiler, root, setupInstalled } from '../setup.mjs';

const CACHE = join(root, 'node_modules', '.cache', 'dateline');
/** The files that the check loads. Errors in others do not concern it. */
const LOADED = /^(src\/contracts|src\/cli|src\/api|versions\/src)\//;

/** Compiles into a folder of its own, which is gone when this process ends; answers with where `src` is in it. */
export function buildContracts() {
  setupInstalled();
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'contract-check-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const problems = compile(folder);
  if (problems.length > 0) fail(problems);
  cpSync(join(root, 'src/contracts/frozen'), join(folder, 'src/contracts/frozen'), { recursive: true });
  const manifest = {
    name: 'dateline',
    type: 'module',
    exports: { './versions': './src/versions.js', './folder': './src/folder.js' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeEngine(folder);
  return pathToFileURL(join(folder, 'src/')).href;
}

/** Answers with the syntax errors of the files that matter, as sentences. */
function compile(folder) {
  const args = ['-p', join(root, 'tools/contract-check'), '--outDir', folder, '--pretty', 'false'];
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line.includes(': error TS'));
  const errors = lines.map((line) => /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line) ?? [line]);
  if (status !== 0 && errors.length === 0) return [`the compiler failed: ${stdout}`];
  return errors.flatMap(([whole, file, line, text]) => {
    if (file === undefined) return [whole];
    return LOADED.test(file) ? [`${file} has an error in line ${line}: ${text}`] : [];
  });
}

/** Makes the package name lead to the engine as it is compiled here, not to its last build. */
function writeEngine(folder) {
  const engine = join(folder, 'node_modules/@dateline/versions');
  mkdirSync(engine, { recursive: true });
  writeFileSync(join(engine, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(engine, 'index.js'), "export * from '../../../versions/src/index.js';\n");
}

function fail(problems) {
  console.error(`dateline: ${problems.join('\n')}`);
  process.exit(1);
}
