/** package.json with the subpaths of these versions, and otherwise as it stands. */
export function packageManifest(manifest, { versions, removed }) {
  const ofVersions = [removed, ...versions].flatMap((version) => [
    [`./${version}`, entry(`${version}/index`)],
    [`./${version}/webhooks`, entry(`${version}/webhooks`)],
  ]);
  const ofAll = ['introspection-cache', 'fastify', 'express'].map((name) => [`./${name}`, entry(name)]);
  const changed = {
    ...manifest,
    // Everything else only defines; these two files speak when they are loaded.
    sideEffects: [`./dist/*/${removed}/*.js`],
    exports: Object.fromEntries([
      ['.', entry('index')],
      ...ofVersions,
      ...ofAll,
      ['./package.json', './package.json'],
    ]),
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function entry(path) {
  const of = (format) => ({ types: `./dist/${format}/${path}.d.ts`, default: `./dist/${format}/${path}.js` });
  return { import: of('esm'), require: of('cjs') };
}
