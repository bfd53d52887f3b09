import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DOCUMENT = 'docs/use-with.md';

/**
 * Runs the code block of a library in the document, whose first line names the library, as a module of its own with
 * these variables in its environment; returns what it exports.
 */
// biome-ignore lint/suspicious/noExplicitAny: every block exports something else.
export async function runUseWith(library: string, env: Readonly<Record<string, string>>): Promise<any> {
  // Beside the packages, so that Node finds what the block imports.
  const folder = mkdtempSync(join('node_modules', '.use-with-'));
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  try {
    const path = join(folder, 'block.mjs');
    writeFileSync(path, blockOf(library));
    Object.assign(process.env, env);
    return await import(/* @vite-ignore */ pathToFileURL(path).href);
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    rmSync(folder, { recursive: true });
  }
}

function blockOf(library: string): string {
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(
    ([, code = '']) => code,
  );
  const block = blocks.find((code) => code.startsWith(`// ${library}\n`));
  if (block === undefined) throw new Error(`${DOCUMENT} has no block for ${library}`);
  return block;
}
