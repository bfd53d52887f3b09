import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Loader, type Plugin } from 'esbuild';
import { FolderError, type FolderProblem } from '../folder-problem.ts';
import { locationAt } from '../locations/code-frame.ts';

/** A module as one text, with all that it imports from its folder: every Node can run it. Packages stay where they are. */
export async function bundleModule(folder: string, file: string, runAs: string): Promise<string> {
  const root = resolve(folder);
  try {
    const { outputFiles } = await build({
      entryPoints: [join(root, file)],
      absWorkingDir: root,
      // The map names the sources as they are seen from there.
      outfile: runAs,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      define: Object.fromEntries(Object.entries(NAMES).map(([name, own]) => [`import.meta.${name}`, own])),
      plugins: [packages, ownPlaces],
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new FolderError(buildProblems(error as BuildFailure, { folder, file }));
  }
}

function buildProblems(
  { errors = [], message }: BuildFailure,
  { folder, file }: { folder: string; file: string },
): FolderProblem[] {
  if (errors.length === 0) return [{ file, reason: message }];
  return errors.map(({ text, location }) => {
    const reason = `it cannot be loaded (${text.replace(/\.$/, '')})`;
    if (location === null || !existsSync(join(folder, location.file))) return { file, reason };
    const source = readFileSync(join(folder, location.file), 'utf8');
    const at = { line: location.line, column: location.column + 1 };
    return { file: location.file, reason, location: locationAt(source, at) };
  });
}

/** Whatever copies a folder has, and if it has none: modules are typed by theirs, and run with ours. */
const OURS: Readonly<Record<string, string>> = {
  '@dateline/versions': 'dateline/versions',
  'dateline/versions': 'dateline/versions',
  'dateline/folder': 'dateline/folder',
};

const { resolve: ourFile } = createRequire(import.meta.url);

/** Packages are loaded by Node itself, as anywhere else. */
const packages: Plugin = {
  name: 'packages',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === packages || kind === 'entry-point' || path.startsWith('node:')) return undefined;
      const ours = OURS[path];
      if (ours !== undefined) return { path: pathToFileURL(ourFile(ours)).href, external: true };
      const found = await esbuild.resolve(path, { kind, importer, resolveDir, pluginData: packages });
      if (found.external || found.errors.length > 0) return found;
      if (!found.path.includes(`${sep}node_modules${sep}`)) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

const NAMES = { url: '__datelineModuleUrl', dirname: '__datelineModuleFolder' };

const LOADERS: Readonly<Record<string, Loader>> = { '.ts': 'ts', '.mts': 'ts', '.js': 'js', '.mjs': 'js' };

/** A module that asks where it is gets its own place. On its first line, so that the others keep their numbers. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const url = JSON.stringify(pathToFileURL(path).href);
      const before = `const ${NAMES.url} = ${url}, ${NAMES.dirname} = ${JSON.stringify(dirname(path))}; `;
      return { contents: before + text, loader: LOADERS[extname(path)] ?? 'js' };
    });
  },
};
