import { readdirSync, readFileSync } from 'node:fs';
import { knownStatements, type Statement } from '../../../src/storage/statement.ts';

const src = new URL('../../../src/', import.meta.url);
const stores = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/store.ts'))
  .map((file) => new URL(file, src));

/** Loads the statements of all rooms. */
export async function loadStores(): Promise<void> {
  for (const file of stores) await import(file.href);
}

/** Those of the rooms. Tests make some of their own in the same process. */
export function statementsOfService(): Statement[] {
  const names = stores
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:statement|wordSearch|deletion(?:ByAge)?)(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g,
      ),
    ])
    .map(([, name = '']) => new RegExp(`^${name.replaceAll(/\$\{\w+\}/g, '\\w+')}$`));
  const all = knownStatements();
  const unseen = names.filter((pattern) => !all.some(({ name }) => pattern.test(name)));
  if (unseen.length > 0) throw new Error(`not loaded: ${unseen.join(', ')}`);
  return all.filter(({ name }) => names.some((pattern) => pattern.test(name)));
}
