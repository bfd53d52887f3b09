/** The URL that a text is; null if it is none. */
export function urlOf(text: string): URL | null {
  // Not `URL.canParse`: Node 20 answers wrongly for letters such as ü once the code that asks has been optimised.
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
