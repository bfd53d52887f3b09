import { recordAudit } from '../../audit/audit-log.ts';
import type { Context } from '../../environments/environment.ts';
import { defined } from '../../kernel/presence.ts';
import type { Endpoint, Format } from '../types.ts';
import { checkKinds, checkUrl, chosenVersion, refused, wantedKinds } from './check-endpoint.ts';
import type { EndpointParts } from './create-endpoint.ts';
import { afterDisabling, afterEnabling, asDisabled, asEnabled } from './disable-endpoint.ts';
import { updateEndpoint } from './store.ts';
import { type Wanted, withEndpoint } from './with-endpoint.ts';

/** Undefined leaves a field as it is. */
export interface EndpointChanges {
  url: string | undefined;
  format: Format | undefined;
  events: readonly string[] | undefined;
  /** Null: whatever is Current now. */
  apiVersion: string | null | undefined;
  enabled: boolean | undefined;
  description: string | null | undefined;
  maxPerSecond: number | null | undefined;
}

/** Events that are there already keep the version and the format they were made in. */
export async function changeEndpoint(
  context: Context,
  wanted: Wanted,
  { changes, actor, ...parts }: { changes: EndpointChanges } & Omit<EndpointParts, 'box'>,
): Promise<Endpoint> {
  return withEndpoint(context, wanted, async (inside, endpoint) => {
    const changed = applyChanges(inside, endpoint, { changes, ...parts });
    const fields = changedFields(endpoint, changed);
    if (fields.length === 0) return endpoint;
    await updateEndpoint(inside.session, changed);
    if (changed.disabledAt && !endpoint.disabledAt) await afterDisabling(inside, changed);
    if (endpoint.disabledAt && !changed.disabledAt) await afterEnabling(inside, changed);
    await recordAudit(inside, [
      {
        actor,
        action: 'webhook_endpoint.updated',
        organizationId: endpoint.organizationId,
        // Their names only: an address may hold a secret.
        details: { endpoint_id: endpoint.id, fields },
      },
    ]);
    return changed;
  });
}

type ChangeParts = { changes: EndpointChanges } & Pick<EndpointParts, 'rules' | 'madeBy' | 'reading'>;

function applyChanges(
  context: Context,
  endpoint: Endpoint,
  { changes, rules, ...parts }: ChangeParts,
): Endpoint {
  const { madeBy, reading } = parts;
  const { apiVersion, enabled, events, ...fields } = changes;
  if (fields.url !== undefined) checkUrl(fields.url, rules);
  const changed: Endpoint = {
    ...endpoint,
    ...defined({ ...fields, events: events && [...new Set(events)] }),
  };
  if (apiVersion !== undefined) changed.pinnedVersion = chosenVersion(context, apiVersion);
  if (events !== undefined || apiVersion !== undefined)
    checkKinds(context, changed.events, changed.pinnedVersion);
  // Who points an endpoint elsewhere gets what it carries, just like who made it.
  const isPointedElsewhere = changed.url !== endpoint.url;
  if (events !== undefined || isPointedElsewhere) {
    reading?.require(wantedKinds(context, changed.events, changed.pinnedVersion));
    changed.lostScopes = stillLost(endpoint.lostScopes ?? [], reading);
  }
  if (isPointedElsewhere) changed.madeBy = madeBy ?? endpoint.madeBy;
  const now = context.clock.now();
  if (enabled === false && !endpoint.disabledAt) return asDisabled(changed, 'owner', now);
  if (enabled === true && endpoint.disabledAt) return takenOver(changed, parts, now);
  return { ...changed, modifiedAt: now };
}

/** The enabler of an endpoint answers for it from now on: it ends with their access. */
function takenOver(
  endpoint: Endpoint,
  { madeBy, reading }: Pick<ChangeParts, 'madeBy' | 'reading'>,
  now: Date,
): Endpoint {
  if (endpoint.disabledReason === 'operator')
    throw refused(
      'enabled cannot be true, because an operator disabled this endpoint; ask them to release it',
    );
  return {
    ...asEnabled(endpoint, now),
    madeBy: madeBy ?? endpoint.madeBy,
    lostScopes: endpoint.lostScopes && stillLost(endpoint.lostScopes, reading),
  };
}

/** The scopes that stay lost when somebody answers for an endpoint anew; events that were withheld wait to be recovered. */
function stillLost(lost: readonly string[], reading: ChangeParts['reading']): readonly string[] | null {
  return reading ? lost.filter((scope) => !reading.scopes.includes(scope)) : null;
}

const compared = [
  'url',
  'format',
  'events',
  'pinnedVersion',
  'description',
  'maxPerSecond',
  'madeBy',
  'lostScopes',
  'disabledAt',
] as const;

function changedFields(before: Endpoint, after: Endpoint): string[] {
  return compared.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
