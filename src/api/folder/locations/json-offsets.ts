import {
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  COMMA,
  endOfString,
  QUOTE,
} from '../../../kernel/json-text.ts';

const SPACE = 0x20;

/** A list or an object that is open. */
interface Open {
  isObject: boolean;
  /** Null where nothing inside is looked for. */
  pointer: string | null;
  /** The items of a list so far. */
  count: number;
}

/**
 * Where the names and items that JSON pointers lead to begin in a text, which is JSON. It is looked through once, whatever the number of
 * pointers, and nothing is built of it.
 */
export function jsonOffsets(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const open: Open[] = [];
  let isName = false;
  let isItem = false;
  let below: string | null = '';

  function arrive(key: string, at: number): void {
    const pointer = open.at(-1)?.pointer ?? null;
    const found = pointer === null ? null : `${pointer}/${key}`;
    below = found !== null && wanted.has(found) ? found : null;
    if (below !== null) offsets.set(below, at);
  }

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    const inside = open.at(-1);
    if (isItem && inside && code !== BRACKET_END) arrive(String(inside.count++), at);
    isItem = false;
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isName && inside?.pointer !== null) arrive(keyOf(text.slice(at, end + 1)), at);
      else if (isName) below = null;
      isName = false;
      at = end;
    } else if (code === BRACE || code === BRACKET) {
      isName = code === BRACE;
      isItem = !isName;
      open.push({ isObject: isName, pointer: below, count: 0 });
    } else if (code === BRACE_END || code === BRACKET_END) {
      isName = false;
      open.pop();
    } else if (code === COMMA) {
      isName = inside?.isObject === true;
      isItem = !isName;
    }
  }
  return offsets;
}

/** A name as it stands in a pointer (RFC 6901). */
function keyOf(quoted: string): string {
  return String(JSON.parse(quoted)).replaceAll('~', '~0').replaceAll('/', '~1');
}
