import type { Change } from '../contract/change.ts';
import type { ChangeGroup } from './written-change.ts';

/** One change with the code of all of its parts. One without parts has nothing to say, and is told for touching nothing. */
export function groupedChange(
  { by: _by, changes: _parts, ...words }: ChangeGroup,
  parts: readonly Change[],
): Change {
  const [first = NOTHING] = parts;
  const [example = NOTHING.examples[0], ...examples] = parts.flatMap((part) => part.examples);
  const kept = parts.flatMap((part) => part.kept ?? []);
  const errors = parts.flatMap(({ downgradeError }) => downgradeError ?? []);
  return {
    ...first,
    examples: [example, ...examples],
    ...words,
    touches: parts.flatMap(({ touches }) => touches),
    ...withoutEmpty({
      upgradeRequest: Object.assign({}, ...parts.map(({ upgradeRequest }) => upgradeRequest)),
      redirects: Object.assign({}, ...parts.map(({ redirects }) => redirects)),
      downgradeEvent: Object.assign({}, ...parts.map(({ downgradeEvent }) => downgradeEvent)),
      downgradeHeaders: headersThrough(parts.map(({ downgradeHeaders = {} }) => downgradeHeaders)),
      downgradeStatus: statusesOf(parts.map(({ downgradeStatus = {} }) => downgradeStatus)),
    }),
    ...(kept.length > 0 && { kept }),
    ...(errors.length > 0 && {
      downgradeError: (error, id) => errors.reduceRight((known, downgrade) => downgrade(known, id), error),
    }),
  };
}

function withoutEmpty(tables: Readonly<Record<string, object>>): Partial<Change> {
  return Object.fromEntries(Object.entries(tables).filter(([, table]) => Object.keys(table).length > 0));
}

const NOTHING: Change = {
  ...{ name: 'together', kind: 'changed', summary: '', why: '', upgradeNote: '' },
  examples: [{ before: null, after: null }],
  touches: [],
};

type HeaderTable = NonNullable<Change['downgradeHeaders']>;
type StatusTable = NonNullable<Change['downgradeStatus']>;

/** Several headers of one operation may change. */
function headersThrough(tables: readonly HeaderTable[]): HeaderTable {
  const ids = new Set(tables.flatMap((table) => Object.keys(table)));
  const through =
    (id: string): HeaderTable[string] =>
    (headers, context) =>
      tables.reduceRight((known, table) => table[id]?.(known, context) ?? known, headers);
  return Object.fromEntries([...ids].map((id) => [id, through(id)]));
}

function statusesOf(tables: readonly StatusTable[]): StatusTable {
  const ids = new Set(tables.flatMap((table) => Object.keys(table)));
  return Object.fromEntries(
    [...ids].map((id) => [id, Object.assign({}, ...tables.map((table) => table[id]))]),
  );
}
