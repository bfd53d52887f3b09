/** Longer words are no typing errors, and comparing them takes time. */
const LENGTH_MAX = 40;

/** The known word with the fewest edits: at most one for every three letters. Null where none is that close. */
export function closest(typed: string, known: readonly string[]): string | null {
  if (typed === '' || typed.length > LENGTH_MAX) return null;
  const [best] = known
    .map((word) => ({ word, edits: editsBetween(typed, word) }))
    .filter(({ word, edits }) => edits <= Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3)))
    .sort((one, other) => one.edits - other.edits);
  return best?.word ?? null;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_none, index) => index)];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(
        Math.min(
          cell(rows, at - 1, to) + 1,
          (row[to - 1] ?? 0) + 1,
          cell(rows, at - 1, to - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(rows, at - 2, to - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return cell(rows, one.length, other.length);
}

function cell(rows: readonly (readonly number[])[], at: number, to: number): number {
  return rows[at]?.[to] ?? Number.POSITIVE_INFINITY;
}
