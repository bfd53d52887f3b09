/** A place in a text, as editors count: from 1. */
export interface TextLocation {
  line: number;
  column: number;
  /** The lines around it, with a mark below it. */
  frame: string;
}

const LINES_AROUND = 1;
const WIDTH_MAX = 120;

/** Finds the places of offsets in a text. */
export function createLocations(text: string): (offset: number) => TextLocation {
  const starts = lineStarts(text);
  const lineAt = (line: number): string =>
    text.slice(starts[line - 1], (starts[line] ?? text.length + 1) - 1).replace(/\r$/, '');
  return (offset) => {
    const line = lineOf(starts, offset);
    const column = offset - (starts[line - 1] ?? 0) + 1;
    const numbers = Array.from({ length: 2 * LINES_AROUND + 1 }, (_, index) => line - LINES_AROUND + index);
    const shown = numbers.filter((number) => number >= 1 && number <= starts.length);
    const lines = shown.map((number) => ({ number, text: lineAt(number) }));
    return { line, column, frame: frameOf(lines, { line, column }) };
  };
}

/** The place of a line and a column, both from 1. */
export function locationAt(text: string, { line, column }: Omit<TextLocation, 'frame'>): TextLocation {
  return createLocations(text)((lineStarts(text)[line - 1] ?? 0) + column - 1);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that begins at or before an offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function frameOf(
  lines: readonly { number: number; text: string }[],
  { line, column }: Omit<TextLocation, 'frame'>,
): string {
  // A document in one line is shown around the location.
  const from = column < WIDTH_MAX ? 0 : column - 1 - WIDTH_MAX / 2;
  const width = String(lines.at(-1)?.number ?? line).length;
  return lines
    .flatMap(({ number, text }) => {
      const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text.slice(from, from + WIDTH_MAX)}`;
      return number === line ? [row, `  ${' '.repeat(width)} | ${' '.repeat(column - 1 - from)}^`] : [row];
    })
    .map((row) => row.trimEnd())
    .join('\n');
}
