/** package.json with the subpaths of these versions, and otherwise as it stands. */
export function packageManifest(manifest, { versions, removed }) {
  const subpaths = [
    ...[removed, ...versions].flatMap((version) => [
      [version, `${version}/index`],
      [`${version}/webhooks`, `${version}/webhooks`],
    ]),
    ...['introspection-cache', 'fastify', 'express', 'publish'].map((name) => [name, name]),
  ];
  const changed = {
    ...manifest,
    // Everything else only defines; these two files speak when they are loaded.
    sideEffects: [`./dist/*/${removed}/*.js`],
    // For compilers that do not read `exports` (moduleResolution node10).
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    typesVersions: {
      '*': Object.fromEntries(subpaths.map(([name, path]) => [name, [`./dist/cjs/${path}.d.ts`]])),
    },
    exports: Object.fromEntries([
      ['.', entry('index')],
      ...subpaths.map(([name, path]) => [`./${name}`, entry(path)]),
      ['./package.json', './package.json'],
    ]),
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function entry(path) {
  const of = (format) => ({ types: `./dist/${format}/${path}.d.ts`, default: `./dist/${format}/${path}.js` });
  return { import: of('esm'), require: of('cjs') };
}
