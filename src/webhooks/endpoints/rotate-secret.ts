import { recordAudit } from '../../audit/audit-log.ts';
import type { Context } from '../../environments/environment.ts';
import type { EndpointParts, EndpointWithSecret } from './create-endpoint.ts';
import { makeSecret } from './endpoint-secrets.ts';
import { retireSecrets } from './store.ts';
import { type Wanted, withEndpoint } from './with-endpoint.ts';

export interface RotatedEndpoint extends EndpointWithSecret {
  /** Until then both sign. */
  previousExpiresAt: Date;
}

/**
 * Gives an endpoint a new secret. The previous one keeps signing during the overlap, so that a receiver can change at any
 * time in it; a secret that was already in its overlap is deleted at once.
 */
export async function rotateWebhookSecret(
  context: Context,
  wanted: Wanted,
  { overlapSeconds, box, actor }: { overlapSeconds: number } & Omit<EndpointParts, 'rules'>,
): Promise<RotatedEndpoint> {
  return withEndpoint(context, wanted, async (inside, endpoint) => {
    const { id, organizationId } = endpoint;
    const previousExpiresAt = new Date(inside.clock.now().getTime() + overlapSeconds * 1000);
    await retireSecrets(inside.session, id, previousExpiresAt);
    const secretValue = await makeSecret(inside, box, id);
    const details = { endpoint_id: id, overlap_seconds: overlapSeconds };
    await recordAudit(inside, [
      { actor, action: 'webhook_endpoint.secret_rotated', organizationId, details },
    ]);
    return { endpoint, secretValue, previousExpiresAt };
  });
}
