import { computed, signal } from '@preact/signals';

export interface Operator {
  id: string;
  name: string;
  role: 'admin' | 'viewer' | 'support' | 'publisher';
}

interface Session {
  operator: Operator;
  csrfToken: string;
}

/** Undefined until it is known; null where nobody is signed in. */
const session = signal<Session | null | undefined>(undefined);

/** Why it is not known whether somebody is signed in; null while nothing is in the way. */
export const unanswered = signal<string | null>(null);

export const operator = computed(() => session.value?.operator ?? null);
export const isKnown = computed(() => session.value !== undefined);
/** In memory alone: no script of another page, and no browser storage, ever holds it. */
export const csrfToken = computed(() => session.value?.csrfToken ?? null);
export const mayChange = computed(() => operator.value?.role === 'admin');
/** Support sends events again, and disables with a reason. */
export const isSupport = computed(() => operator.value?.role === 'support');

interface Told extends Operator {
  csrf_token: string | null;
}

function begin({ id, name, role, csrf_token: token }: Told): void {
  session.value = { operator: { id, name, role }, csrfToken: token ?? '' };
}

export function signedOut(): void {
  session.value = null;
}

/** Continues the browser's session, if it has one. */
export async function resume(): Promise<void> {
  unanswered.value = null;
  const response = await fetch('/operator/me').catch(() => null);
  if (response?.ok) begin((await response.json()) as Told);
  else if (response && response.status < 500) signedOut();
  else unanswered.value = await problemIn(response);
}

/** Whoever is signed in still is, when the service answers again. */
async function problemIn(response: Response | null): Promise<string> {
  if (response === null) return 'The service cannot be reached.';
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return detail ?? `The service answered with ${response.status}.`;
}

/** Null if it worked, or what is wrong. The key is sent in the body, and kept nowhere. */
export async function signIn(operatorKey: string): Promise<string | null> {
  const response = await fetch('/operator/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operator_key: operatorKey }),
  }).catch(() => null);
  if (response === null) return 'The service cannot be reached.';
  if (response.status === 401) return 'This is not a live operator key of this environment.';
  const body = (await response.json().catch(() => ({}))) as Told & { detail?: string };
  if (!response.ok) return body.detail ?? `The service answered with ${response.status}.`;
  begin(body);
  return null;
}

/** Null if it worked, or what is wrong: then the session may still be alive. */
export async function signOut(): Promise<string | null> {
  const response = await fetch('/operator/session', {
    method: 'DELETE',
    headers: { 'x-csrf-token': csrfToken.value ?? '' },
  }).catch(() => null);
  // Where nobody is signed in, nobody has to be signed out.
  if (!response?.ok && response?.status !== 401) return problemIn(response);
  signedOut();
  return null;
}
