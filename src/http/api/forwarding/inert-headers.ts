/**
 * An answer of somebody else's server stands on the origin of our console and of the pages where people sign in. Opened in a
 * browser it must be no page of that origin: nothing in it runs, loads or is sent, and no type is guessed.
 */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
} as const;
