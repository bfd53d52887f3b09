import type { Actor } from '../../../audit/types.ts';
import type { RequestTo } from '../../../contracts/head/operation-types.ts';
import type { webhookOperations } from '../../../contracts/head/webhooks.ts';
import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { chooseOrganization } from '../../../identity/choose-organization.ts';
import { isVouchedFor } from '../../../identity/organizations.ts';
import { isOrganizationId, type OrganizationId } from '../../../identity/types.ts';
import { allMapped } from '../../../kernel/presence.ts';
import { holdAccess } from '../../../oauth/tokens/hold-access.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { changeEndpoint, type EndpointChanges } from '../../../webhooks/endpoints/change-endpoint.ts';
import {
  createEndpoint,
  type NewEndpoint,
  type Reading,
} from '../../../webhooks/endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../../../webhooks/endpoints/delete-endpoint.ts';
import { listEndpoints, readEndpoint } from '../../../webhooks/endpoints/read-endpoints.ts';
import { rotateWebhookSecret } from '../../../webhooks/endpoints/rotate-secret.ts';
import { listEventKinds } from '../../../webhooks/events/event-kinds.ts';
import { previewEvent } from '../../../webhooks/events/preview-event.ts';
import { listAttempts, listEvents, readEvent } from '../../../webhooks/events/read-events.ts';
import { cancelRecovery, readRecovery, startRecovery } from '../../../webhooks/events/recover-events.ts';
import { redeliverEvent } from '../../../webhooks/events/redeliver-event.ts';
import { sendTest } from '../../../webhooks/events/send-test.ts';
import { publicOnly, type TargetRules } from '../../../webhooks/sending/target-rules.ts';
import { bearerIn, unauthorized } from '../../app/bearer.ts';
import { pageBody } from '../../app/paging.ts';
import { readTime } from '../../app/read-time.ts';
import { REALM, requireScopes } from '../authenticate-token.ts';
import type { Caller, HandlersOf } from '../handler.ts';
import { pageIn } from '../read-list.ts';
import {
  deliveryBody,
  endpointBody,
  eventBody,
  kindBody,
  recoveryBody,
  renderingBody,
} from './webhook-bodies.ts';

export interface WebhookParts {
  box: SecretBox;
  rules: TargetRules;
  /** Of one organization. */
  endpointsMax: number;
}

type WebhookHandlers = HandlersOf<typeof webhookOperations>;

const OVERLAP_SECONDS = 86_400;

export function webhookHandlers(parts: WebhookParts): WebhookHandlers {
  return { ...endpointHandlers(parts), ...eventHandlers };
}

type EndpointHandlers = Omit<WebhookHandlers, keyof typeof eventHandlers>;

function endpointHandlers(parts: WebhookParts): EndpointHandlers {
  const { box, rules } = parts;

  /** Whoever registers by himself must not reach this machine by it. */
  async function rulesFor(context: Context, organizationId: OrganizationId): Promise<TargetRules> {
    return rules.loopback && !(await isVouchedFor(context, organizationId)) ? publicOnly(rules) : rules;
  }

  async function rulesForOwnerOf({ context, request, token }: NamedCall & { context: Context }) {
    const { organizationId } = await readEndpoint(context, token.organizationIds, request.params.id);
    return rulesFor(context, organizationId as OrganizationId);
  }

  return {
    async 'webhooks:list_endpoints'({ context, request, token }) {
      const endpoints = await listEndpoints(context, reachIn(request, token), pageIn(request));
      return { status: 200, body: pageBody(endpoints, (endpoint) => endpointBody(context, endpoint)) };
    },

    async 'webhooks:create_endpoint'({ context, request: { body, command }, token, caller }) {
      const organizationId = chooseOrganization(token.organizationIds, body.organization_id ?? null);
      const held = await requireAccess(context, token, { organizationId, caller });
      const { endpoint, secretValue } = await createEndpoint(
        context,
        { organizationId, ...newEndpoint(body) },
        { ...parts, rules: await rulesFor(context, organizationId), ...subscriberOf(context, held, command) },
      );
      return {
        status: 201,
        body: { ...endpointBody(context, endpoint), secret: secretValue },
        holdsSecret: true,
      };
    },

    async 'webhooks:read_endpoint'({ context, request, token }) {
      const endpoint = await readEndpoint(context, token.organizationIds, request.params.id);
      return { status: 200, body: endpointBody(context, endpoint) };
    },

    async 'webhooks:update_endpoint'(call) {
      const { context, request, token } = call;
      const changes = endpointChanges(request.body);
      const held = takesOver(changes) ? await requireAccessTo(call) : token;
      const endpoint = await changeEndpoint(context, named(call), {
        ...parts,
        rules: changes.url === undefined ? rules : await rulesForOwnerOf(call),
        changes,
        ...subscriberOf(context, held, request.command),
      });
      return { status: 200, body: endpointBody(context, endpoint) };
    },

    async 'webhooks:delete_endpoint'(call) {
      await deleteEndpoint(call.context, named(call), actorOf(call.token));
      return { status: 204, body: null };
    },

    async 'webhooks:rotate_secret'(call) {
      const { context, request, token } = call;
      const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS } = request.body;
      const rotated = await rotateWebhookSecret(context, named(call), {
        box,
        overlapSeconds,
        actor: actorOf(token),
      });
      return {
        status: 200,
        body: {
          ...endpointBody(context, rotated.endpoint),
          secret: rotated.secretValue,
          previous_secret_expires_at: rotated.previousExpiresAt.toISOString(),
        },
      };
    },
  };
}

const eventHandlers = {
  async 'webhooks:list_events'({ context, request, token }) {
    const { endpoint_id: endpointId = null, type = null, state = null } = request.query;
    const wanted = { endpointId, type, state, ...pageIn(request) };
    const events = await listEvents(context, reachIn(request, token), wanted);
    return { status: 200, body: pageBody(events, eventBody) };
  },

  async 'webhooks:read_event'({ context, request, token }) {
    const event = await readEvent(context, token.organizationIds, request.params.id);
    return { status: 200, body: eventBody(event) };
  },

  async 'webhooks:redeliver'({ context, request, token }) {
    const event = await redeliverEvent(context, token.organizationIds, request.params.id);
    return { status: 202, body: eventBody(event) };
  },

  async 'webhooks:list_deliveries'({ context, request, token }) {
    const { event_id: eventId = null, endpoint_id: endpointId = null } = request.query;
    const wanted = { eventId, endpointId, ...pageIn(request) };
    const attempts = await listAttempts(context, reachIn(request, token), wanted);
    return { status: 200, body: pageBody(attempts, deliveryBody) };
  },

  async 'webhooks:list_event_kinds'({ context, request }) {
    const kinds = listEventKinds(context, request.query.api_version ?? null, pageIn(request));
    return { status: 200, body: pageBody(kinds, kindBody) };
  },

  async 'webhooks:test_endpoint'(call) {
    const { type, api_version: apiVersion = null } = call.request.body;
    const event = await sendTest(call.context, named(call), { type, apiVersion });
    return { status: 202, body: eventBody(event) };
  },

  async 'webhooks:preview'(call) {
    const { event_id: eventId = null, type = null, api_version: apiVersion } = call.request.body;
    const { from, to, differences } = await previewEvent(call.context, named(call), {
      eventId,
      type,
      apiVersion,
    });
    return { status: 200, body: { from: renderingBody(from), to: renderingBody(to), differences } };
  },

  async 'webhooks:recover'(call) {
    const since = readTime(call.request.body.since);
    if (!since) throw new ApiError('validation_failed', { detail: 'since is a time that does not exist.' });
    const recovery = await startRecovery(call.context, named(call), since);
    return { status: 202, body: recoveryBody(recovery) };
  },

  async 'webhooks:read_recovery'({ context, request, token }) {
    const recovery = await readRecovery(context, token.organizationIds, request.params.id);
    return { status: 200, body: recoveryBody(recovery) };
  },

  async 'webhooks:cancel_recovery'(call) {
    return { status: 200, body: recoveryBody(await cancelRecovery(call.context, named(call))) };
  },
} satisfies Partial<WebhookHandlers>;

function newEndpoint(
  body: RequestTo<'webhooks:create_endpoint'>['body'],
): Omit<NewEndpoint, 'organizationId'> {
  const { organization_id: _chosenApart, url, format, events, enabled, description, ...others } = body;
  const { api_version: apiVersion = null, max_per_second: maxPerSecond = null, ...rest } = others;
  allMapped(rest);
  return {
    url,
    format: format ?? 'raw',
    events,
    apiVersion,
    enabled: enabled ?? true,
    description: description ?? null,
    maxPerSecond,
  };
}

function endpointChanges(body: RequestTo<'webhooks:update_endpoint'>['body']): EndpointChanges {
  const { url, format, events, enabled, description, ...others } = body;
  const { api_version: apiVersion, max_per_second: maxPerSecond, ...rest } = others;
  allMapped(rest);
  return { url, format, events, apiVersion, enabled, description, maxPerSecond };
}

interface NamedCall {
  request: { readonly params: { readonly id: string } };
  token: ActiveToken;
}

/** The endpoint that a path names, if it is in one of the token's organizations. */
function named({ request, token }: NamedCall) {
  return { reach: token.organizationIds, id: request.params.id };
}

/** The token's organizations, or only the one that the query names. */
function reachIn(
  { query }: { readonly query: { readonly organization_id?: string } },
  { organizationIds }: ActiveToken,
): OrganizationId[] {
  const { organization_id: wanted } = query;
  return organizationIds.filter((id) => wanted === undefined || id === wanted);
}

/** The author of a new or changed endpoint, and the scopes that limit what it may subscribe to. */
function subscriberOf(
  { contracts }: Context,
  token: ActiveToken,
  { withoutScopes = false }: RequestTo<'webhooks:create_endpoint'>['command'],
) {
  const { subject, clientId, scopes } = token;
  const madeBy = { clientId, userId: subject.type === 'user' ? subject.id : null };
  const reading: Reading = {
    scopes,
    require: (kinds) => requireScopes(token, [...new Set(kinds.flatMap(contracts.scopesOf))]),
  };
  return { actor: actorOf(token), madeBy, ...(withoutScopes ? {} : { reading }) };
}

/** True if the change makes the caller responsible for the endpoint or for what it carries. */
function takesOver({ enabled, url, events }: EndpointChanges): boolean {
  return enabled === true || url !== undefined || events !== undefined;
}

/** The same for the organization of the endpoint that a path names. */
async function requireAccessTo(call: NamedCall & { context: Context; caller: Caller }): Promise<ActiveToken> {
  const { context, request, token, caller } = call;
  const { organizationId } = await readEndpoint(context, token.organizationIds, request.params.id);
  return requireAccess(context, token, { organizationId, caller });
}

/** An endpoint ends with the access of its maker, so it must not be made while that ends. */
async function requireAccess(
  context: Context,
  token: ActiveToken,
  { organizationId, caller }: { organizationId: string; caller: Caller },
): Promise<ActiveToken> {
  const held = isOrganizationId(organizationId) ? await holdAccess(context, token, organizationId) : null;
  if (held) return held;
  throw unauthorized(REALM, bearerIn(caller.authorization));
}

/** A user, or a client that acts for itself. */
function actorOf({ subject, clientId }: ActiveToken): Actor {
  return subject.type === 'user' ? { type: 'user', id: subject.id } : { type: 'client', id: clientId };
}
