// Reads TypeScript as the bundler does: TypeScript 7 has no API for JavaScript, and vite brings a parser (oxc).
import { dirname, posix } from 'node:path';
import { parseSync } from 'vite';

/** The syntax tree of a file (ESTree with TypeScript's nodes) and its comments. Throws where it does not parse. */
export function parse(file, text) {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`);
  return { program, comments };
}

/** Every node below this one, itself first, with the nodes around it (the nearest last). */
export function* nodesBelow(node, around = []) {
  yield { node, around };
  const inside = [...around, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') yield* nodesBelow(child, inside);
  }
}

const IMPORTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** The files that this one imports by relative paths: types, re-exports and `import('…')` included. */
export function importsOf(file, text) {
  const found = new Set();
  for (const { node } of nodesBelow(parse(file, text).program)) {
    if (!IMPORTS.has(node.type) || !node.source?.value?.startsWith('.')) continue;
    found.add(posix.join(dirname(file), node.source.value));
  }
  return [...found];
}
