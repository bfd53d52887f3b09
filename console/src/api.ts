import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './generated/operator-api.ts';
import { csrfToken, signedOut } from './session.ts';

/** The addresses that can be read as JSON. */
type Readable = {
  [Path in keyof paths & string]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': unknown } } } };
  }
    ? Path
    : never;
}[keyof paths & string];

/** The body of a GET. */
export type BodyOf<Path extends Readable> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** One of a list. */
export type ItemOf<Path extends Readable> =
  BodyOf<Path> extends { items: readonly (infer Item)[] } ? Item : never;

/** The documented operator API, with the session of this browser. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' });

const asSession: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && csrfToken.value !== null)
      request.headers.set('X-CSRF-Token', csrfToken.value);
    return request;
  },
  onResponse({ request, response }) {
    // Idle for too long, signed out in another tab, or the key was revoked.
    const isSignIn = new URL(request.url).pathname === '/operator/session';
    if (response.status === 401 && !isSignIn) signedOut();
  },
};
api.use(asSession);

/** An error answer of the service, with its detail as the message. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { error = 'unknown', detail }: { error?: string; detail?: string }) {
    super(detail ?? `The service answered with ${status}.`);
    this.status = status;
    this.code = error;
  }
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of an answer; throws what was answered instead. */
export async function answerOf<Data>(asking: Promise<Answered<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await asking.catch((cause: unknown) => {
    throw new ApiProblem(0, {
      error: 'unreachable',
      detail: `The service cannot be reached (${String(cause)}). Reload to try again.`,
    });
  });
  if (!response.ok)
    throw new ApiProblem(response.status, (error ?? {}) as { error?: string; detail?: string });
  return (data ?? {}) as NonNullable<Data>;
}
