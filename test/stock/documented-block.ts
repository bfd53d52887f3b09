import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(root, 'node_modules');

export interface BlockValues {
  url: string;
  clientId: string;
  clientSecret: string;
  /** What only a test needs, such as to allow plain HTTP: each text is replaced once, and has to be there. */
  replacing?: Readonly<Record<string, string>>;
}

/** Runs the block of a library in docs/use-with.md, and returns what it exports. */
export async function runBlock(
  library: string,
  values: BlockValues,
  modules = MODULES,
  prepare: (file: string) => Promise<void> = async () => {},
  // biome-ignore lint/suspicious/noExplicitAny: each library has types of its own.
): Promise<any> {
  // Below node_modules, where the block's own import is found.
  const folder = mkdtempSync(join(modules, '.use-with-'));
  const file = join(folder, 'block.mjs');
  try {
    writeFileSync(file, documentedBlock('js', library, values));
    await prepare(file);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The block of a program in docs/use-with.md, in a language that is not ours, with a test's values in it. */
export function documentedBlock(
  language: 'js' | 'python' | 'apache' | 'sh' | 'ruby' | 'go' | 'perl' | 'conf',
  program: string,
  values: BlockValues,
): string {
  return filledIn(blockOf(language, program), values);
}

function blockOf(language: string, program: string): string {
  const document = readFileSync(join(root, 'docs/use-with.md'), 'utf8');
  const [, rest] = document.split(`\n\`\`\`${language} ${program}\n`);
  const [block] = rest?.split('\n```') ?? [];
  if (block === undefined) throw new Error(`docs/use-with.md has no ${language} block for ${program}`);
  return block;
}

function filledIn(block: string, { url, clientId, clientSecret, replacing = {} }: BlockValues): string {
  const edited = Object.entries(replacing).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the block does not say ${from}`);
    return text.replace(from, to);
  }, block);
  return edited
    .replaceAll('https://auth.example.com', url)
    .replaceAll('cli_…', clientId)
    .replaceAll('dl_cs_…', clientSecret);
}
