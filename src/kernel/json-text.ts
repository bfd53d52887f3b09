/** The signs of JSON that change what comes after them, as `charCodeAt` returns them. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const BRACKET = 0x5b;
export const BRACKET_END = 0x5d;
export const BRACE = 0x7b;
export const BRACE_END = 0x7d;
const BACKSLASH = 0x5c;

/** Where the string ends that begins at a place in a text, which is JSON: at its second quote. */
export function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
