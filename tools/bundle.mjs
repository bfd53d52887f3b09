// Puts what a start loads into few files: `node tools/bundle.mjs <folder of the build>`. Node takes about half a millisecond
// to find and read a module, and a start would load 1,800 of them: ours, and hundreds of small ones of some libraries.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * The packages that are worth inlining. The others stay where they are, above all the engine, which an API folder loads
 * too.
 */
const INLINED = ['jose', 'kysely', 'typebox'];

const dist = resolve(process.argv[2]);

// In the place of the command line that the compiler has made. Both it and the chunks lie one folder below the build's.
await build({
  entryPoints: { 'cli/dateline': join(dist, 'cli', 'dateline.js') },
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  allowOverwrite: true,
  bundle: true,
  // What a command loads only when it runs stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // For stacks: they name the sources.
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [{ name: 'dateline', setup: plugIn }],
});
writeFileSync(join(dist, 'chunks', 'LICENSES.txt'), INLINED.map(licenseOf).join('\n\n'));

function plugIn(esbuild) {
  esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    if (kind === 'entry-point' || INLINED.includes(path.split('/', 1)[0])) return undefined;
    return { path, external: true };
  });
  // A module looks for files beside itself, where they still are.
  esbuild.onLoad({ filter: /\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!path.startsWith(dist) || !text.includes('import.meta.url')) return undefined;
    const itself = `new URL(${JSON.stringify(`../${relative(dist, path)}`)}, import.meta.url).href`;
    return { contents: text.replaceAll('import.meta.url', itself), resolveDir: dirname(path) };
  });
}

/** It goes where the library goes. */
function licenseOf(name) {
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((one) => join(folder, one)).find(existsSync);
  return `${name}\n\n${readFileSync(file, 'utf8')}`;
}
