import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { TargetRules } from '../sending/target-rules.ts';
import { type Endpoint, endpointIdPrefix, type Maker } from '../types.ts';
import { checkKinds, checkUrl, chosenVersion, refused, wantedKinds } from './check-endpoint.ts';
import { makeSecret } from './endpoint-secrets.ts';
import { countEndpoints, insertEndpoint } from './store.ts';
import { lockEndpointsOf } from './with-endpoint.ts';

export interface NewEndpoint
  extends Pick<Endpoint, 'organizationId' | 'url' | 'format' | 'events' | 'description' | 'maxPerSecond'> {
  /** Null: whatever is Current now. */
  apiVersion: string | null;
  enabled: boolean;
}

export interface EndpointParts {
  box: SecretBox;
  rules: TargetRules;
  actor: Actor;
  /** The number that an organization may have; any number where it is left out. */
  endpointsMax?: number;
  /** With whose access the endpoint is made, or taken over: it ends with it. */
  madeBy?: Maker;
  /** The scopes that the caller may read with. Left out where no scope is asked for. */
  reading?: Reading;
}

export interface Reading {
  scopes: readonly string[];
  /** Throws unless these are enough for what these kinds carry. */
  require(kinds: readonly string[]): void;
}

export interface EndpointWithSecret {
  endpoint: Endpoint;
  /** Shown now and never again. */
  secretValue: string;
}

export async function createEndpoint(
  context: Context,
  input: NewEndpoint,
  { box, rules, actor, madeBy, reading, endpointsMax }: EndpointParts,
): Promise<EndpointWithSecret> {
  const pinnedVersion = chosenVersion(context, input.apiVersion);
  checkUrl(input.url, rules);
  checkKinds(context, input.events, pinnedVersion);
  reading?.require(wantedKinds(context, input.events, pinnedVersion));
  const { organizationId, url, format, description, maxPerSecond } = input;
  return context.transaction(async (inside) => {
    if (endpointsMax !== undefined) await requireRoom(inside, organizationId, endpointsMax);
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
      lostScopes: reading ? [] : null,
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

/** Endpoints of one organization are counted and made one after the other, so that none is one too many. */
async function requireRoom(context: Context, organizationId: string, endpointsMax: number): Promise<void> {
  await lockEndpointsOf(context, organizationId);
  if ((await countEndpoints(context.session, organizationId)) < endpointsMax) return;
  throw refused(
    `This organization has ${endpointsMax} webhook endpoints or more, and may have no more; delete one first`,
  );
}
