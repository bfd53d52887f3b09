import { recordAudit } from '../../../audit/audit-log.ts';
import type { Context } from '../../../environments/environment.ts';
import { disableEndpointsOf } from '../../../webhooks/endpoints/end-access.ts';
import type { GrantId } from '../../types.ts';
import { type Cause, endGrantsById, endOfSome, writeDown } from '../end-tokens.ts';
import { selectGrants } from '../store.ts';
import { isWholeClient, type Selection } from './selection.ts';
import {
  accessOf,
  burnCodes,
  countUsableTokens,
  cutClient,
  cutGrants,
  findUsableTokens,
  lockLiveGrants,
  selectGrantIds,
  type UsableToken,
} from './store.ts';

export interface BulkRevocation {
  selection: Selection;
  cause: Cause;
  /** Counts what would be revoked, and changes nothing. */
  dryRun: boolean;
  /** The `next` of an earlier call; null to begin. */
  after: GrantId | null;
}

export interface BulkOutcome {
  /** Grants that were revoked, or lost tokens. */
  grants: number;
  tokens: number;
  /** Where to continue; null when done. */
  next: GrantId | null;
}

/** The audit action: one act, one entry. Of a whole client, `client_revoked_before` in the details is the instant. */
export const BULK_REVOCATION = 'tokens.revoked';

// One batch is one transaction: short, so that others hardly wait. One call is one request: short enough to answer in time.
const BATCH_GRANTS_MAX = 1_000;
const BATCHES_MAX = 3;

/**
 * Revokes the grants of a selection, in batches. Finished batches stay revoked: if it stops midway, the same call does
 * the rest. A whole client is cut off at once, by one row; the batches then publish the events.
 */
export async function revokeInBulk(
  context: Context,
  { after, ...asked }: BulkRevocation,
): Promise<BulkOutcome> {
  const revocation = { ...asked, selection: notInTheFuture(asked.selection, context.clock.now()) };
  if (after === null && !revocation.dryRun) await begin(context, revocation);
  const select = (context: Context) => selectBatches(context, revocation.selection, after);
  // Grants that were revoked before are in no batch: when a transaction ends, they are so for good.
  const { batches, next } = await (revocation.dryRun ? select(context) : context.transaction(select));
  // At the same time: while the database writes one, this process prepares the other. They have no grant in common.
  const ended = await Promise.allSettled(
    batches.map((ids) => (revocation.dryRun ? count : end)(context, ids, revocation)),
  );
  const counts = ended.map(resultOf);
  return {
    grants: counts.reduce((sum, { grants }) => sum + grants, 0),
    tokens: counts.reduce((sum, { tokens }) => sum + tokens, 0),
    next,
  };
}

async function selectBatches(context: Context, selection: Selection, after: GrantId | null) {
  const limit = BATCH_GRANTS_MAX * BATCHES_MAX;
  const ids = await selectGrantIds(context.session, selection, { after, limit, now: context.clock.now() });
  const batches: GrantId[][] = [];
  for (let at = 0; at < ids.length; at += BATCH_GRANTS_MAX)
    batches.push(ids.slice(at, at + BATCH_GRANTS_MAX));
  return { batches, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
}

function resultOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

type Revocation = Omit<BulkRevocation, 'after'>;
type Counts = Omit<BulkOutcome, 'next'>;

/** Tokens that are not issued yet cannot be revoked. */
function notInTheFuture(selection: Selection, now: Date): Selection {
  const { issuedBefore } = selection;
  return issuedBefore && issuedBefore > now ? { ...selection, issuedBefore: now } : selection;
}

async function begin(context: Context, { selection, cause }: Revocation): Promise<void> {
  const { clientId, subject, organizationId, issuedBefore } = selection;
  await context.transaction(async (inside) => {
    const cut = issuedBefore ?? inside.clock.now();
    const whole = isWholeClient(selection);
    if (clientId && whole) await cutClient(inside.session, clientId, cut);
    // Otherwise codes issued before could still become tokens.
    await burnCodes(inside.session, selection, {
      now: inside.clock.now(),
      endingBefore: issuedBefore && later(issuedBefore, inside.lifetimes.codeSeconds),
    });
    const entry = {
      ...cause,
      action: BULK_REVOCATION,
      clientId: clientId ?? undefined,
      userId: subject?.type === 'user' ? subject.id : undefined,
      organizationId: organizationId ?? (subject?.type === 'organization' ? subject.id : undefined),
      details: {
        subject: subject?.id ?? null,
        client_id: clientId,
        organization_id: organizationId,
        issued_before: issuedBefore?.toISOString() ?? null,
        ...(whole ? { client_revoked_before: cut.toISOString() } : {}),
      },
    };
    await recordAudit(inside, [entry]);
    if (issuedBefore === null && cause.actor.type !== 'client')
      await disableEndpointsOf(inside, await accessOf(inside.session, selection), cause.reason);
  });
}

function later(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

async function count(context: Context, ids: readonly GrantId[], { selection }: Revocation): Promise<Counts> {
  const { issuedBefore } = selection;
  const { grants, tokens } = await countUsableTokens(context.session, ids, {
    now: context.clock.now(),
    issuedBefore,
  });
  return { grants: issuedBefore ? grants : ids.length, tokens };
}

async function end(
  context: Context,
  ids: readonly GrantId[],
  { selection, cause }: Revocation,
): Promise<Counts> {
  if (ids.length === 0) return { grants: 0, tokens: 0 };
  return context.transaction(async (inside) => {
    const live = await lockLiveGrants(inside.session, ids);
    const { issuedBefore } = selection;
    if (issuedBefore) return cut(inside, live, issuedBefore);
    const { tokens } = await countUsableTokens(inside.session, live, {
      now: inside.clock.now(),
      issuedBefore,
    });
    const ended = await endGrantsById(inside, live, cause);
    return { grants: ended.length, tokens };
  });
}

async function cut(context: Context, ids: readonly GrantId[], before: Date): Promise<Counts> {
  const now = context.clock.now();
  const tokensOf = byGrant(await findUsableTokens(context.session, ids, { now, issuedBefore: before }));
  const grants = await selectGrants(context.session, [...tokensOf.keys()]);
  const cuts = grants
    .map((grant) => ({ grant, tokens: tokensOf.get(grant.grantId)?.filter(isLeftBy(grant)) ?? [] }))
    .filter(({ tokens }) => tokens.length > 0);
  await cutGrants(
    context.session,
    cuts.map(({ grant }) => grant.grantId),
    before,
  );
  await writeDown(
    context,
    cuts.map(({ grant, tokens }) => endOfSome(grant, tokens, now)),
  );
  return { grants: cuts.length, tokens: cuts.reduce((sum, { tokens }) => sum + tokens.length, 0) };
}

/** Returns a filter for tokens that earlier bulk revocations of their grant have left. */
function isLeftBy({ revokedBefore }: { revokedBefore: Date | null }): (token: UsableToken) => boolean {
  return ({ issuedAt }) => revokedBefore === null || issuedAt >= revokedBefore;
}

function byGrant(tokens: readonly UsableToken[]): Map<GrantId, UsableToken[]> {
  const found = new Map<GrantId, UsableToken[]>();
  for (const token of tokens) {
    const others = found.get(token.grantId);
    if (others) others.push(token);
    else found.set(token.grantId, [token]);
  }
  return found;
}
