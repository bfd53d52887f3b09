export const AUTHORIZE = '/v1/oauth2/authorize';
export const CONSENT = '/account/consent';
export const SIGN_IN = '/account/sign-in';
export const SIGN_OUT = '/account/sign-out';
export const PASSWORD = '/account/password';
export const GRANTS = '/account/grants';

/**
 * Where somebody goes on after signing in: to an address of ours that is named here, whatever was sent. The request of a
 * client is kept whole, and read anew when the browser comes back with it.
 */
export function readContinuation(text: string | undefined): string {
  if (text === PASSWORD) return PASSWORD;
  if (!text?.startsWith(`${AUTHORIZE}?`)) return GRANTS;
  return AUTHORIZE + new URL(text, 'http://own.invalid').search;
}

/** The parameters of the client's request; null where no client has asked. */
export function queryOf(continuation: string): string | null {
  return continuation.startsWith(`${AUTHORIZE}?`) ? continuation.slice(AUTHORIZE.length + 1) : null;
}

/** Whoever has just given the password need not give it once more, though the request says so. */
export function afterSigningIn(continuation: string): string {
  const query = queryOf(continuation);
  if (query === null) return continuation;
  const parameters = new URLSearchParams(query);
  parameters.delete('max_age');
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== 'login');
  if (parameters.has('prompt')) parameters.set('prompt', prompts.join(' '));
  return `${AUTHORIZE}?${parameters}`;
}
