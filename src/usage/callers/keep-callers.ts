import type { Environment } from '../../environments/environment.ts';
import { findExistingClients } from '../../oauth/clients/clients/clients.ts';
import { tokenHolders } from '../../oauth/tokens/token-holders.ts';
import type { OAuthClientId } from '../../oauth/types.ts';
import type { FailureLog } from '../failures/keep-failures.ts';
import type { UsageCounter } from '../usage-counter.ts';
import {
  type CallerClaim,
  createHeldRequests,
  type EndedRequest,
  type HeldRequest,
  type HeldRequests,
  keyOf,
} from './held-requests.ts';
import { createRefusalCounter, type RefusalCounter } from './refusals.ts';
import { addRefusals } from './store.ts';

/** Records failed requests whose callers are not known: at once, or when they have been looked up. */
export interface CallerLog {
  record(request: EndedRequest, claim: CallerClaim | null): void;
}

export interface CallerParts {
  counter: UsageCounter;
  failures: FailureLog;
  held: HeldRequests;
  refusals: RefusalCounter;
}

export function createCallerParts(
  { counter, failures }: Pick<CallerParts, 'counter' | 'failures'>,
  nowMs: () => number,
): CallerParts {
  return { counter, failures, held: createHeldRequests(nowMs), refusals: createRefusalCounter() };
}

export function createCallerLog(parts: CallerParts): CallerLog {
  return {
    record(request, claim) {
      if (claim === null || !parts.held.hold({ ...request, claim })) conclude(parts, request, null);
    },
  };
}

/** Counts and lists a request, under its caller if that is known. */
function conclude(
  { counter, failures, refusals }: CallerParts,
  { use, failure, at, meantOperation, removed }: EndedRequest,
  caller: { clientId: OAuthClientId; proven: boolean } | null,
): void {
  // Whoever is merely named did not call, as far as anybody knows: usage, and who breaks, must not depend on strangers.
  const clientId = caller?.proven ? caller.clientId : null;
  // Of strangers, no more is counted than before: they could fill the tables.
  const operation = use.operation ?? (clientId && meantOperation);
  counter.count({ ...use, clientId, operation });
  failures.note({ ...failure, operation, clientId: caller?.clientId ?? null }, at);
  if (removed) refusals.count({ version: removed.version, clientId, operation, since: removed.at }, at);
}

export interface CallerKeeper {
  /** Looks up the callers of what was held, and records it. Never rejects: without an answer they stay unknown. */
  flush(): Promise<void>;
}

/** What follows flushes it: counts and failures are stored with the callers that are known by then. */
export function keepCallers({
  environment,
  parts,
  onError,
}: {
  environment: Environment;
  parts: CallerParts;
  onError(error: unknown): void;
}): CallerKeeper {
  async function lookUp(): Promise<void> {
    const held = parts.held.take();
    if (held.length === 0) return;
    const callers = await findCallers(environment, held).catch((error: unknown) => {
      onError(error);
      return new Map<string, OAuthClientId>();
    });
    for (const request of held) {
      const clientId = callers.get(keyOf(request.claim));
      conclude(parts, request, clientId ? { clientId, proven: request.claim.kind === 'token' } : null);
    }
  }

  async function store(): Promise<void> {
    const refusals = parts.refusals.take();
    if (refusals.length === 0) return;
    // A batch whose answer was lost is added twice: these numbers show who is broken, and nothing is billed by them.
    await addRefusals(environment.session, refusals).catch((error: unknown) => {
      parts.refusals.giveBack(refusals);
      onError(error);
    });
  }

  let last = Promise.resolve();
  return {
    flush() {
      last = last.then(lookUp).then(store);
      return last;
    },
  };
}

/** Two statements at most, whatever their number. Only clients that exist are found. */
async function findCallers(
  environment: Environment,
  held: readonly HeldRequest[],
): Promise<ReadonlyMap<string, OAuthClientId>> {
  const claims = new Map(held.map(({ claim }) => [keyOf(claim), claim])).values();
  const digests: Buffer[] = [];
  const named: OAuthClientId[] = [];
  for (const claim of claims)
    if (claim.kind === 'token') digests.push(claim.digest);
    else named.push(claim.clientId);
  const existing = (await findExistingClients(environment, named)).map(({ id }) => [id, id] as const);
  return new Map([...(await tokenHolders(environment, digests)), ...existing]);
}
