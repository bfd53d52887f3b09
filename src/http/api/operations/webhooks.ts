import type { Json, UpgradableRequest } from '@dateline/versions';
import type { Actor } from '../../../audit/types.ts';
import {
  createEndpointCommand,
  listCommand,
  updateEndpointCommand,
} from '../../../contracts/head/commands.ts';
import type { Scene } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { chooseOrganization } from '../../../identity/choose-organization.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { changeEndpoint } from '../../../webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '../../../webhooks/endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../../../webhooks/endpoints/delete-endpoint.ts';
import { listEndpoints, readEndpoint } from '../../../webhooks/endpoints/read-endpoints.ts';
import { rotateWebhookSecret } from '../../../webhooks/endpoints/rotate-secret.ts';
import { type KindOfVersion, listEventKinds } from '../../../webhooks/events/event-kinds.ts';
import { previewEvent, type Rendering } from '../../../webhooks/events/preview-event.ts';
import { listAttempts, listEvents, readEvent } from '../../../webhooks/events/read-events.ts';
import {
  cancelRecovery,
  type Recovery,
  readRecovery,
  startRecovery,
} from '../../../webhooks/events/recover-events.ts';
import { redeliverEvent } from '../../../webhooks/events/redeliver-event.ts';
import { sendTest } from '../../../webhooks/events/send-test.ts';
import type { TargetRules } from '../../../webhooks/sending/target-rules.ts';
import type { Attempt, Endpoint, EventState, WebhookEvent } from '../../../webhooks/types.ts';
import { pageBody } from '../../app/paging.ts';
import { readTime } from '../../app/read-time.ts';
import type { Call, OperationHandlers } from '../version-app.ts';

export interface WebhookParts {
  box: SecretBox;
  rules: TargetRules;
}

export function webhookHandlers(parts: WebhookParts): OperationHandlers {
  return { ...endpointHandlers(parts), ...eventHandlers, ...recoveryHandlers };
}

const OVERLAP_SECONDS = 86_400;

function endpointHandlers(parts: WebhookParts): OperationHandlers {
  return {
    async 'webhooks:list_endpoints'({ scene, request, token }) {
      const { reach, page } = listed(request, token);
      const endpoints = await listEndpoints(scene, reach, page);
      return { status: 200, body: pageBody(endpoints, (endpoint) => endpointBody(scene, endpoint)) };
    },

    async 'webhooks:create_endpoint'({ scene, request, token }) {
      const { organizationId, ...endpoint } = createEndpointCommand(request);
      const chosen = chooseOrganization(token.organizationIds, organizationId);
      const created = await createEndpoint(
        scene,
        { ...endpoint, organizationId: chosen },
        { ...parts, actor: actorOf(token) },
      );
      const body = { ...endpointBody(scene, created.endpoint), secret: created.secretValue };
      return { status: 201, body, holdsSecret: true };
    },

    async 'webhooks:read_endpoint'({ scene, request, token }) {
      const endpoint = await readEndpoint(scene, token.organizationIds, request.params.id ?? '');
      return { status: 200, body: endpointBody(scene, endpoint) };
    },

    async 'webhooks:update_endpoint'(call) {
      const changes = updateEndpointCommand(call.request);
      const actor = actorOf(call.token);
      const endpoint = await changeEndpoint(call.scene, wantedBy(call), { ...parts, changes, actor });
      return { status: 200, body: endpointBody(call.scene, endpoint) };
    },

    async 'webhooks:delete_endpoint'(call) {
      await deleteEndpoint(call.scene, wantedBy(call), actorOf(call.token));
      return { status: 204, body: null };
    },

    async 'webhooks:rotate_secret'(call) {
      const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS } = call.request.body as {
        overlap_seconds?: number;
      };
      const rotated = await rotateWebhookSecret(call.scene, wantedBy(call), {
        ...parts,
        overlapSeconds,
        actor: actorOf(call.token),
      });
      const body = {
        ...endpointBody(call.scene, rotated.endpoint),
        secret: rotated.secretValue,
        previous_secret_expires_at: rotated.previousExpiresAt.toISOString(),
      };
      return { status: 200, body };
    },
  };
}

const eventHandlers: OperationHandlers = {
  async 'webhooks:list_events'({ scene, request, token }) {
    const { reach, page } = listed(request, token);
    const { endpoint_id, type, state } = request.query as Record<string, string | undefined>;
    const events = await listEvents(scene, reach, {
      endpointId: endpoint_id ?? null,
      type: type ?? null,
      state: (state as EventState | undefined) ?? null,
      ...page,
    });
    return { status: 200, body: pageBody(events, eventBody) };
  },

  async 'webhooks:read_event'({ scene, request, token }) {
    const event = await readEvent(scene, token.organizationIds, request.params.id ?? '');
    return { status: 200, body: eventBody(event) };
  },

  async 'webhooks:redeliver'({ scene, request, token }) {
    const event = await redeliverEvent(scene, token.organizationIds, request.params.id ?? '');
    return { status: 202, body: eventBody(event) };
  },

  async 'webhooks:list_deliveries'({ scene, request, token }) {
    const { reach, page } = listed(request, token);
    const { event_id, endpoint_id } = request.query as Record<string, string | undefined>;
    const filter = { eventId: event_id ?? null, endpointId: endpoint_id ?? null };
    const attempts = await listAttempts(scene, reach, { ...filter, ...page });
    return { status: 200, body: pageBody(attempts, deliveryBody) };
  },

  async 'webhooks:list_event_kinds'({ scene, request, token }) {
    const { api_version } = request.query as Record<string, string | undefined>;
    const kinds = listEventKinds(scene, api_version ?? null, listed(request, token).page);
    return { status: 200, body: pageBody(kinds, kindBody) };
  },

  async 'webhooks:test_endpoint'(call) {
    const { type, api_version: apiVersion = null } = call.request.body as {
      type: string;
      api_version?: string;
    };
    const event = await sendTest(call.scene, wantedBy(call), { type, apiVersion });
    return { status: 202, body: eventBody(event) };
  },

  async 'webhooks:preview'(call) {
    const body = call.request.body as { event_id?: string; type?: string; api_version: string };
    const { from, to, differences } = await previewEvent(call.scene, wantedBy(call), {
      eventId: body.event_id ?? null,
      type: body.type ?? null,
      apiVersion: body.api_version,
    });
    return { status: 200, body: { from: renderingBody(from), to: renderingBody(to), differences } };
  },
};

const recoveryHandlers: OperationHandlers = {
  async 'webhooks:recover'(call) {
    const since = readTime((call.request.body as { since: string }).since);
    if (!since) throw new ApiError('validation_failed', { detail: 'since is a time that does not exist.' });
    const recovery = await startRecovery(call.scene, wantedBy(call), since);
    return { status: 202, body: recoveryBody(recovery) };
  },

  async 'webhooks:read_recovery'({ scene, request, token }) {
    const recovery = await readRecovery(scene, token.organizationIds, request.params.id ?? '');
    return { status: 200, body: recoveryBody(recovery) };
  },

  async 'webhooks:cancel_recovery'(call) {
    return { status: 200, body: recoveryBody(await cancelRecovery(call.scene, wantedBy(call))) };
  },
};

function wantedBy({ request, token }: Call) {
  return { reach: token.organizationIds, id: request.params.id ?? '' };
}

/** All of the token's organizations, or the one of them that is named. */
function listed(request: UpgradableRequest, token: ActiveToken): { reach: string[]; page: PageRequest } {
  const { organizationId, limit, paging } = listCommand(request);
  return {
    reach: token.organizationIds.filter((id) => organizationId === null || id === organizationId),
    page: { limit, after: paging.by === 'cursor' ? paging.after : null },
  };
}

/** A person, or a client that acts for itself. */
function actorOf({ subject, clientId }: ActiveToken): Actor {
  return subject.type === 'user' ? { type: 'user', id: subject.id } : { type: 'client', id: clientId };
}

/** Without its secrets: they are shown where they are made. */
export function endpointBody({ contracts }: Scene, endpoint: Endpoint) {
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
    created_at: endpoint.createdAt.toISOString(),
    modified_at: endpoint.modifiedAt.toISOString(),
  };
}

export function eventBody(event: WebhookEvent) {
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
  };
}

function deliveryBody(attempt: Attempt) {
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

export function recoveryBody(recovery: Recovery): Json {
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

function renderingBody({ apiVersion, payload }: Rendering) {
  return { api_version: apiVersion, payload };
}

function kindBody({ kind, apiVersion, summary, schema, example }: KindOfVersion) {
  return { type: kind, api_version: apiVersion, summary, schema, example };
}
