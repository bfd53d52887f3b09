// Puts what a start loads into few files: `node tools/bundle.mjs <folder of the build>`. Node takes about half a millisecond
// to find and read a module, and a start would load thousands of them. An installed Dateline has no others: see
// docs/decisions/0048-one-package.md.
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf } from './release/licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2]);

/** What npm installs beside us: native code, and what finds its own files by where they are. Everything else is in the bundle. */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Nobody looks for the lines of a library, and every start reads the maps. */
const NO_MAP = `data:application/json,${encodeURIComponent('{"version":3,"sources":[""],"mappings":"A"}')}`;

// In the place of the command line and the engine that the compiler has made. They and the chunks lie at most one folder below the build's.
const { metafile } = await build({
  entryPoints: {
    'cli/dateline': join(dist, 'cli', 'dateline.js'),
    // Modules of an API folder are run with them: see src/api/folder/modules/bundle-module.ts.
    versions: join(dist, 'versions.js'),
    folder: join(dist, 'folder.js'),
  },
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  allowOverwrite: true,
  bundle: true,
  // What a command loads only when it runs stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Libraries in the older form of modules load those of Node.
  banner: {
    js: "import { createRequire as __of } from 'node:module'; const require = __of(import.meta.url);",
  },
  // For stacks: they name the sources.
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  plugins: [{ name: 'dateline', setup: plugIn }],
});
refuseNameless(metafile);
writeFileSync(join(dist, 'chunks', 'licences.txt'), licencesOf(Object.keys(metafile.inputs)));
writeEngineTypes();

function plugIn(esbuild) {
  esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    const name = path.startsWith('@') ? path.split('/', 2).join('/') : path.split('/', 1)[0];
    return kind !== 'entry-point' && name in dependencies ? { path, external: true } : undefined;
  });
  esbuild.onLoad({ filter: /node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
    contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=${NO_MAP}`,
  }));
  // A module looks for files beside itself, where they still are.
  esbuild.onLoad({ filter: /\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!path.startsWith(dist) || !text.includes('import.meta.url')) return undefined;
    const itself = `new URL(${JSON.stringify(`../${relative(dist, path)}`)}, import.meta.url).href`;
    return { contents: text.replaceAll('import.meta.url', itself), resolveDir: dirname(path) };
  });
}

/** A library in the older form of modules has no names in a bundle where `import()` loads it: they would be undefined. */
function refuseNameless({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const nameless = imports.find(
      ({ path, kind }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs',
    );
    if (nameless && !file.includes('node_modules/'))
      throw new Error(`${file}: import ${nameless.path} statically, in a module that import() loads`);
  }
}

/** Of `dateline/versions` and `dateline/folder`, whose types the compiler has left in the engine's own package. */
function writeEngineTypes() {
  cpSync(join(root, 'versions', 'dist'), join(dist, 'engine'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.d.ts'),
  });
  writeFileSync(join(dist, 'versions.d.ts'), "export * from './engine/index.js';\n");
  const folder = join(dist, 'folder.d.ts');
  const types = readFileSync(folder, 'utf8').replaceAll("'@dateline/versions'", "'./engine/index.js'");
  writeFileSync(folder, types);
}
