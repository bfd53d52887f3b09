import type { ApiVersion, Selection } from '@dateline/versions';
import type { OAuthClientId } from '../../oauth/types.ts';
import type { Use } from '../../usage/types.ts';
import type { RequestContext } from './request-context.ts';

// What counts as usage: requests that an app of a version takes, and requests whose version is rejected, on any path.
// The edge counts them when they end; until then each step records what it learns.

/** An app of a version takes the request. */
export function beginUse(context: RequestContext): void {
  const { version, pinned } = context;
  context.use = { choice: pinned ? 'pinned' : 'defaulted', version, operation: null, clientId: null };
}

export function nameOperation({ use }: RequestContext, operation: string | null): void {
  if (use) use.operation = operation;
}

/** Called by whatever authenticates a client. */
export function nameClient({ use }: RequestContext, clientId: OAuthClientId): void {
  if (use) use.clientId = clientId;
}

/** The version is rejected, before any authentication. */
export function rejectedUse(
  { reason, requested }: Extract<Selection, { served: false }>,
  current: ApiVersion,
): Use {
  const version = reason === 'malformed' ? null : worthKeeping(requested, current);
  return { choice: `rejected_${reason}`, version, operation: null, clientId: null };
}

const YEARS_AROUND = 10;

/** A caller can send any year. Only those around today's are counted by name, so that strangers cannot fill the table. */
function worthKeeping(requested: string, current: ApiVersion): string | null {
  const yearOf = (text: string): number => Number(text.slice(0, 4));
  return Math.abs(yearOf(requested) - yearOf(current)) <= YEARS_AROUND ? requested : null;
}
