/** Results go to standard output, messages to standard error; so a pipe gets results only. */
export interface Output {
  readonly json: boolean;
  /** One thing: as JSON, or as `name  value` lines. */
  item(item: Readonly<Record<string, unknown>>): void;
  /** Many things: as JSON, or as a table. `empty` says what to do when there are none. */
  list(items: readonly Readonly<Record<string, unknown>>[], columns: readonly string[], empty: string): void;
  text(text: string): void;
  note(sentence: string): void;
}

export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

export function createOutput(json: boolean, { out, err }: Streams): Output {
  return {
    json,
    item(item) {
      if (json) return out(`${JSON.stringify(item)}\n`);
      out(table(Object.entries(item).map(([name, value]) => [name, shown(value)])));
    },
    list(items, columns, empty) {
      if (json) return out(`${JSON.stringify(items)}\n`);
      if (items.length === 0) return out(`${empty}\n`);
      out(
        table([[...columns], ...items.map((item) => columns.map((column) => cellOf(item, column, columns)))]),
      );
    },
    text: (text) => out(text.endsWith('\n') ? text : `${text}\n`),
    note: (sentence) => err(`${sentence}\n`),
  };
}

/** Shows a sentence if something takes longer than a second. */
export async function withProgress<Result>(
  output: Output,
  sentence: string,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => output.note(`${sentence} …`), 1_000);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** An id stands behind the name that the answer has for it, unless that has a column: `Demo client (cli_…)`. */
function cellOf(item: Readonly<Record<string, unknown>>, column: string, columns: readonly string[]): string {
  const nameColumn = column.replace(/_id$/, '_name');
  const name = columns.includes(nameColumn) ? null : item[nameColumn];
  return typeof name === 'string' ? `${printable(name)} (${shown(item[column])})` : shown(item[column]);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Characters that move the cursor, break a line, colour it or turn its direction: names come from strangers. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of others as a terminal may show it: unprintable characters are written as \u{…}. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
