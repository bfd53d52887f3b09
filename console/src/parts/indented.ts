// Strings, what opens and closes, commas, colons, and all else: numbers stay as they are written.
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** A larger one is shown as it is. */
const LENGTH_MAX = 1_000_000;

/** JSON with line breaks and indents; null for any other text. Nothing but white space changes: a parsed number could. */
export function indented(text: string): string | null {
  if (text.length > LENGTH_MAX || !isContainer(text)) return null;
  const lines = [''];
  let depth = 0;
  const startLine = () => lines.push('  '.repeat(depth));
  const add = (token: string) => {
    lines[lines.length - 1] += token;
  };
  let previous = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const isClosing = token === ']' || token === '}';
    const isEmpty = isClosing && (previous === '[' || previous === '{');
    if (isClosing) depth -= 1;
    if (previous === ',' || (isOpening(previous) && !isEmpty) || (isClosing && !isEmpty)) startLine();
    add(token === ':' ? ': ' : token);
    if (isOpening(token)) depth += 1;
    previous = token;
  }
  return lines.join('\n');
}

const isOpening = (token: string): boolean => token === '[' || token === '{';

function isContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
