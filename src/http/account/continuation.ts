export const AUTHORIZE = '/v1/oauth2/authorize';
export const CONSENT = '/account/consent';
export const SIGN_IN = '/account/sign-in';
export const SIGN_OUT = '/account/sign-out';
export const PASSWORD = '/account/password';
export const SET_PASSWORD = '/account/set-password';
export const GRANTS = '/account/grants';

/**
 * Where a user continues after signing in: always at one of the paths above, whatever was sent. A client's request
 * is kept whole, and read again when the browser returns with it.
 */
export function readContinuation(text: string | undefined): string {
  if (text === PASSWORD) return PASSWORD;
  if (!text?.startsWith(`${AUTHORIZE}?`)) return GRANTS;
  return AUTHORIZE + new URL(text, 'http://own.invalid').search;
}

/** The parameters of the client's request; null without one. */
export function queryOf(continuation: string): string | null {
  return continuation.startsWith(`${AUTHORIZE}?`) ? continuation.slice(AUTHORIZE.length + 1) : null;
}

const ANSWERED: readonly string[] = ['login', 'select_account'];

/** A user who has just given the password is not asked again, though the request demands it. */
export function afterSigningIn(continuation: string): string {
  const query = queryOf(continuation);
  if (query === null) return continuation;
  const parameters = new URLSearchParams(query);
  parameters.delete('max_age');
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter((prompt) => !ANSWERED.includes(prompt));
  if (parameters.has('prompt')) parameters.set('prompt', prompts.join(' '));
  return `${AUTHORIZE}?${parameters}`;
}
