/** The URL that a text is; null if it is none. */
export function urlOf(text: string): URL | null {
  // Not `URL.canParse`: Node 20 answers wrongly for letters such as ü once the code that asks has been optimised.
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** How many pairs of a name and a value one form or query may have. */
export const PAIRS_MAX = 1_000;

/** Whether a form or query has more pairs than that. What comes after them is not looked at. */
export function hasTooManyPairs(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > PAIRS_MAX) return true;
  }
  return false;
}
