import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** Where the names and items that JSON pointers lead to begin in a text, which is YAML. */
export function yamlOffsets(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const document = parseDocument(text);
  const offsets = [...wanted].map((pointer) => [pointer, offsetIn(document, pointer)] as const);
  return new Map(offsets.flatMap(([pointer, at]) => (at === null ? [] : [[pointer, at]])));
}

function offsetIn(document: Document, pointer: string): number | null {
  let node: unknown = document.contents;
  let at: number | null = null;
  for (const key of pointer.split('/').slice(1)) {
    const found = memberOf(resolved(node, document), key.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (found === null) return null;
    ({ at, node } = found);
  }
  return at;
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function memberOf(node: unknown, key: string): { at: number | null; node: unknown } | null {
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? null : { at: startOf(item), node: item };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === key);
  return pair ? { at: startOf(pair.key), node: pair.value } : null;
}

function startOf(node: unknown): number | null {
  const { range = null } = (node ?? {}) as { range?: readonly [number, number, number] | null };
  return range?.[0] ?? null;
}
