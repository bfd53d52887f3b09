import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  name: string;
  shows(row: Row): ComponentChildren;
  /** Figures stand below each other by their last digit. */
  isFigure?: boolean;
  /** Names, addresses, sentences: they may be broken anywhere. */
  isText?: boolean;
  /** One short word, such as a version: it stays on one line. */
  isWord?: boolean;
}

interface TableProps<Row> {
  /** Describes the table to screen readers. */
  caption: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** A table; on a narrow screen each row is a block, and each cell says what it is. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <section class="scrolls" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) =>
              // A column of buttons has no name, and a heading must have one.
              column.name === '' ? (
                <td key="" />
              ) : (
                <th key={column.name} scope="col" class={classOf(column)}>
                  {column.name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} data-name={column.name} class={classOf(column)}>
                  {column.shows(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function classOf<Row>({ isFigure, isText, isWord }: Column<Row>): string | undefined {
  if (isFigure) return 'figure';
  if (isText) return 'text';
  return isWord ? 'word' : undefined;
}
