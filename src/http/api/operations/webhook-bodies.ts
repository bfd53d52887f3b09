import type { Wire } from '../../../contracts/head/operation-parts.ts';
import type {
  Delivery,
  Endpoint as EndpointSchema,
  Event,
  Kind,
  Recovery as RecoverySchema,
  Rendering as RenderingSchema,
} from '../../../contracts/head/webhooks.ts';
import type { Context } from '../../../environments/environment.ts';
import type { KindOfVersion } from '../../../webhooks/events/event-kinds.ts';
import type { Rendering } from '../../../webhooks/events/preview-event.ts';
import type { Recovery } from '../../../webhooks/events/recover-events.ts';
import type { Attempt, Endpoint, WebhookEvent } from '../../../webhooks/types.ts';

/** Without its secrets: they are shown only when they are made. */
export function endpointBody({ contracts }: Context, endpoint: Endpoint): Wire<typeof EndpointSchema> {
  return {
    id: endpoint.id,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    format: endpoint.format,
    events: endpoint.events,
    api_version: contracts.effective(endpoint.pinnedVersion),
    pinned_version: endpoint.pinnedVersion,
    enabled: endpoint.disabledAt === null,
    disabled_reason: endpoint.disabledReason,
    description: endpoint.description,
    max_per_second: endpoint.maxPerSecond,
    created_by: endpoint.madeBy && { client_id: endpoint.madeBy.clientId, user_id: endpoint.madeBy.userId },
    created_at: endpoint.createdAt.toISOString(),
    modified_at: endpoint.modifiedAt.toISOString(),
  };
}

export function eventBody(event: WebhookEvent): Wire<typeof Event> {
  return {
    id: event.id,
    occurrence_id: event.occurrenceId,
    endpoint_id: event.endpointId,
    organization_id: event.organizationId,
    type: event.type,
    api_version: event.apiVersion,
    format: event.format,
    created_at: event.createdAt.toISOString(),
    payload_sha256: event.payloadSha256 && Buffer.from(event.payloadSha256).toString('hex'),
    state: event.state,
    attempt_count: event.attemptCount,
    next_attempt_at: event.nextAttemptAt?.toISOString() ?? null,
    test: event.isTest,
  };
}

export function deliveryBody(attempt: Attempt): Wire<typeof Delivery> {
  return {
    id: attempt.id,
    event_id: attempt.eventId,
    endpoint_id: attempt.endpointId,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
  };
}

export function recoveryBody(recovery: Recovery): Wire<typeof RecoverySchema> {
  return {
    id: recovery.id,
    endpoint_id: recovery.endpointId,
    since: recovery.since.toISOString(),
    state: recovery.state,
    started_at: recovery.startedAt.toISOString(),
    total: recovery.eventCount,
    remaining: recovery.remaining,
    delivered: recovery.delivered,
    failed: recovery.failed,
  };
}

export function renderingBody({ apiVersion, payload }: Rendering): Wire<typeof RenderingSchema> {
  return { api_version: apiVersion, payload };
}

export function kindBody(kind: KindOfVersion): Wire<typeof Kind> {
  const { kind: type, apiVersion, summary, scopes, schema, example } = kind;
  return { type, api_version: apiVersion, summary, scopes, schema, example };
}
