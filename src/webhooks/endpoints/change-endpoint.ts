import { recordAudit } from '../../audit/audit-log.ts';
import type { Scene } from '../../environments/environment.ts';
import { defined } from '../../kernel/presence.ts';
import type { TargetRules } from '../sending/target-rules.ts';
import type { Endpoint, Format } from '../types.ts';
import { checkKinds, checkUrl, chosenVersion } from './check-endpoint.ts';
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
  scene: Scene,
  wanted: Wanted,
  { changes, rules, actor }: { changes: EndpointChanges } & Omit<EndpointParts, 'box'>,
): Promise<Endpoint> {
  return withEndpoint(scene, wanted, async (inside, endpoint) => {
    const changed = applyChanges(inside, endpoint, { changes, rules });
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

function applyChanges(
  scene: Scene,
  endpoint: Endpoint,
  { changes, rules }: { changes: EndpointChanges; rules: TargetRules },
): Endpoint {
  const { apiVersion, enabled, events, ...fields } = changes;
  if (fields.url !== undefined) checkUrl(fields.url, rules);
  const changed: Endpoint = {
    ...endpoint,
    ...defined({ ...fields, events: events && [...new Set(events)] }),
  };
  if (apiVersion !== undefined) changed.pinnedVersion = chosenVersion(scene, apiVersion);
  if (events !== undefined || apiVersion !== undefined)
    checkKinds(scene, changed.events, changed.pinnedVersion);
  const now = scene.clock.now();
  if (enabled === false && !endpoint.disabledAt) return asDisabled(changed, 'owner', now);
  if (enabled === true && endpoint.disabledAt) return asEnabled(changed, now);
  return { ...changed, modifiedAt: now };
}

const compared = [
  'url',
  'format',
  'events',
  'pinnedVersion',
  'description',
  'maxPerSecond',
  'disabledAt',
] as const;

function changedFields(before: Endpoint, after: Endpoint): string[] {
  return compared.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
