import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../api.ts';
import { isAttended } from '../attention.ts';
import { query, setQuery } from '../router.ts';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';

interface ListPage<Row> {
  items: readonly Row[];
  pagination: { next_cursor: string | null };
}

interface ListProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  load(cursor: string | undefined): Promise<ListPage<Row>>;
  /** It begins anew when one of these changes. */
  changes: readonly unknown[];
  /** Shown instead of an empty list: the next step. */
  empty: ComponentChildren;
}

const REFRESH_MS = 15_000;

/** A list, page by page. While only its first page is shown, it is kept up to date. */
export function List<Row>({ caption, columns, keyOf, load, changes, empty }: ListProps<Row>) {
  const rows = useSignal<readonly Row[] | null>(null);
  const next = useSignal<string | null>(null);
  const pages = useSignal(0);
  const problem = useSignal<string | null>(null);
  const newest = useRef(0);
  const isReading = useRef(false);

  async function read(cursor: string | undefined): Promise<void> {
    newest.current += 1;
    const round = newest.current;
    isReading.current = true;
    try {
      const page = await load(cursor);
      // The filters have changed meanwhile: this is the answer to what nobody asks any more.
      if (round !== newest.current) return;
      rows.value = cursor === undefined ? page.items : [...(rows.value ?? []), ...page.items];
      next.value = page.pagination.next_cursor;
      pages.value = cursor === undefined ? 1 : pages.value + 1;
      problem.value = null;
    } catch (error) {
      if (round === newest.current)
        problem.value = error instanceof ApiProblem ? error.message : String(error);
    } finally {
      if (round === newest.current) isReading.current = false;
    }
  }

  useEffect(() => {
    rows.value = null;
    void read(undefined);
    const timer = setInterval(() => {
      if (isAttended() && pages.value === 1 && !isReading.current) void read(undefined);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, changes);

  return (
    <>
      {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
      {rows.value === null && problem.value === null && <p class="loading">Loading…</p>}
      {rows.value?.length === 0 && <Notice kind="empty">{empty}</Notice>}
      {rows.value !== null && rows.value.length > 0 && (
        <Table caption={caption} columns={columns} rows={rows.value} keyOf={keyOf} />
      )}
      {next.value !== null && (
        <button type="button" onClick={() => void read(next.value ?? undefined)}>
          Show more
        </button>
      )}
    </>
  );
}

interface SearchProps {
  label: string;
  /** Its name in the address. */
  name?: string;
}

/** A field whose text is in the address, a moment after the last key. */
export function Search({ label, name = 'search' }: SearchProps) {
  const waiting = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (
    <label class="field">
      {label}
      <input
        type="search"
        value={query.value.get(name) ?? ''}
        onInput={(event) => {
          const { value } = event.currentTarget;
          clearTimeout(waiting.value);
          waiting.value = setTimeout(() => setQuery({ [name]: value }), 250);
        }}
      />
    </label>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  options: readonly (readonly [value: string, words: string])[];
}

/** One of a few, in the address. */
export function Choice({ label, name, options }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select
        value={query.value.get(name) ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
