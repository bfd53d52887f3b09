import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isPart, type Part } from '../document/parts.ts';

/** The text of a new file: JSON where the document was JSON, and YAML otherwise. */
export function newText(data: unknown, isJson: boolean): string {
  return isJson ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 110 });
}

/** True of a text that is JSON by its first character. */
export const isJsonText = (text: string): boolean => /^\s*\{/.test(text);

/** The same text with other data in it. Comments and the order of what stays are kept. */
export function withData(text: string, after: unknown): string {
  if (isJsonText(text)) return newText(after, true);
  const document = parseDocument(text);
  // What an alias stands for would change wherever it stands.
  const { contents } = document;
  if (!isMap(contents) || !isPart(after) || hasAliases(contents)) return newText(after, false);
  // Without aliases it is no larger than its text.
  const before: unknown = JSON.parse(JSON.stringify(document.toJS()));
  if (!isPart(before)) return newText(after, false);
  if (isSame(before, after)) return text;
  changedMap(document, contents, before, after);
  return document.toString({ lineWidth: 0 });
}

/** True if both are the same, in the same order. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The library's own walk copies the way to each node. */
function hasAliases(node: unknown): boolean {
  if (isPair(node)) return hasAliases(node.key) || hasAliases(node.value);
  return isAlias(node) || (isCollection(node) && node.items.some(hasAliases));
}

/** With aliases for what stands twice, the library looks through the whole document for each part that is made. */
const PLAIN = { aliasDuplicateObjects: false };

function changedNode(document: Document, node: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return node;
  if (isMap(node) && isPart(before) && isPart(after)) return changedMap(document, node, before, after);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after))
    return changedList(document, node, before, after);
  return document.createNode(after, PLAIN);
}

function changedMap(document: Document, map: YAMLMap, before: Part, after: Part): YAMLMap {
  const known = new Map(map.items.map((pair) => [keyText(pair.key), pair]));
  map.items = Object.entries(after).map(([name, value]) => {
    const pair = known.get(name);
    if (!pair) return document.createPair(name, value, PLAIN);
    pair.value = changedNode(document, pair.value, before[name], value);
    return pair;
  });
  return map;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** Items that both have stay with their comments. */
function changedList(
  document: Document,
  list: YAMLSeq,
  before: readonly unknown[],
  after: readonly unknown[],
): YAMLSeq {
  const isEdited = before.length === after.length;
  const texts = before.map((item) => JSON.stringify(item));
  const used = new Set<number>();
  list.items = after.map((item, index) => {
    const same = texts.findIndex((text, at) => !used.has(at) && text === JSON.stringify(item));
    if (same >= 0) {
      used.add(same);
      return list.items[same];
    }
    return isEdited
      ? changedNode(document, list.items[index], before[index], item)
      : document.createNode(item, PLAIN);
  });
  return list;
}
