import { type CST, Parser } from 'yaml';

/**
 * True where a text of YAML is nested deeper than `most`. What makes data of a text calls itself for each level, and a process whose stack
 * ends while an expression is compiled ends with it; what reads tokens does not, so it is asked first.
 */
export function isYamlDeeper(text: string, most: number): boolean {
  const waiting = [...new Parser().parse(text)].map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const depth = next.depth + 1;
    if (depth > most) return true;
    for (const token of tokensIn(next.token)) waiting.push({ token, depth });
  }
  return false;
}

function tokensIn(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].flatMap((one) => one ?? []));
}
