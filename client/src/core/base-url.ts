/** An address that paths are put behind; null if it is none. */
export function readBaseUrl(text: string | undefined): string | null {
  return text && /^https?:\/\/[^?#]+$/i.test(text) ? text.replace(/\/+$/, '') : null;
}
