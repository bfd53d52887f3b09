import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  name: string;
  shows(row: Row): ComponentChildren;
  /** Figures stand below each other by their last digit. */
  isFigure?: boolean;
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
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" class={isFigure ? 'figure' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, shows, isFigure }) => (
                <td key={name} data-name={name} class={isFigure ? 'figure' : undefined}>
                  {shows(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
