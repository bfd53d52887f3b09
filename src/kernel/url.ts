/** Parses a URL, or one that is relative to another; null if the text is none. */
export function urlOf(text: string, base?: URL): URL | null {
  // Not `URL.canParse`: Node 20 answers wrongly for letters such as ü once the code that asks has been optimised.
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The most name-value pairs of one form or query. */
export const PAIRS_MAX = 1_000;

/** True if a form or query has more pairs than that. Stops counting there. */
export function hasTooManyPairs(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > PAIRS_MAX) return true;
  }
  return false;
}
