import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { TargetRules } from '../sending/target-rules.ts';
import { type Endpoint, endpointIdPrefix, type Format, type Maker } from '../types.ts';
import { checkKinds, checkUrl, chosenVersion, wantedKinds } from './check-endpoint.ts';
import { makeSecret } from './endpoint-secrets.ts';
import { insertEndpoint } from './store.ts';

export interface NewEndpoint {
  organizationId: string;
  url: string;
  format: Format;
  events: readonly string[];
  /** Null: whatever is Current now. */
  apiVersion: string | null;
  enabled: boolean;
  description: string | null;
  maxPerSecond: number | null;
}

export interface EndpointParts {
  box: SecretBox;
  rules: TargetRules;
  actor: Actor;
  /** With whose access the endpoint is made, or taken over: it ends with it. */
  madeBy?: Maker;
  /** Throws unless the caller may read what these kinds carry. */
  requireScopes?(kinds: readonly string[]): void;
}

export interface EndpointWithSecret {
  endpoint: Endpoint;
  /** Shown now and never again. */
  secretValue: string;
}

export async function createEndpoint(
  scene: Scene,
  input: NewEndpoint,
  { box, rules, actor, madeBy, requireScopes }: EndpointParts,
): Promise<EndpointWithSecret> {
  const pinnedVersion = chosenVersion(scene, input.apiVersion);
  checkUrl(input.url, rules);
  checkKinds(scene, input.events, pinnedVersion);
  requireScopes?.(wantedKinds(scene, input.events, pinnedVersion));
  const { organizationId, url, format, description, maxPerSecond } = input;
  return scene.transaction(async (inside) => {
    const now = inside.clock.now();
    const endpoint: Endpoint = {
      id: newId(endpointIdPrefix, now),
      organizationId,
      url,
      format,
      events: [...new Set(input.events)],
      pinnedVersion,
      description,
      maxPerSecond,
      madeBy: madeBy ?? null,
      createdAt: now,
      modifiedAt: now,
      disabledAt: input.enabled ? null : now,
      disabledReason: input.enabled ? null : 'owner',
    };
    await insertEndpoint(inside.session, endpoint);
    const secretValue = await makeSecret(inside, box, endpoint.id);
    const details = { endpoint_id: endpoint.id };
    await recordAudit(inside, [{ actor, action: 'webhook_endpoint.created', organizationId, details }]);
    return { endpoint, secretValue };
  });
}
