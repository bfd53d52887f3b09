import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Actor } from '../../audit/types.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { allowEnabling } from '../../webhooks/endpoints/allow-enabling.ts';
import { checkKinds, chosenVersion } from '../../webhooks/endpoints/check-endpoint.ts';
import { deleteKnownEndpoint } from '../../webhooks/endpoints/delete-endpoint.ts';
import { disableEndpoint } from '../../webhooks/endpoints/disable-endpoint.ts';
import { listEndpoints } from '../../webhooks/endpoints/read-endpoints.ts';
import { startRecovery } from '../../webhooks/events/recover-events.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { type Heard, listen } from '../../webhooks/listening/listen.ts';
import { newWebhookSecret, signatureHeader } from '../../webhooks/sending/sign-delivery.ts';
import { type EndpointId, isEndpointId, type Endpoint as StoredEndpoint } from '../../webhooks/types.ts';
import { isWanted } from '../../webhooks/wanted-kinds.ts';
import { recoveryBody } from '../api/operations/webhook-bodies.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { readTime } from '../app/read-time.ts';
import { audited, isStillOperator, operatorOf, reasonOf } from './acting-operator.ts';
import { Disabling, describe, object, optional, pageOf, pageQuery, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';
import { Endpoint, Event, endpointBodies, namedEndpoint, namedEvent, Recovery } from './webhook-fields.ts';

const Since = object({ since: describe(Time, 'From when on.') });
const listenQuery = {
  api_version: optional(
    Type.String({ maxLength: 20 }),
    'The version that events are rendered in; Current by default.',
  ),
  events: optional(
    Type.String({ maxLength: 2_000 }),
    'Kinds, separated by commas, such as product.*; all by default.',
  ),
};

/** The streams of `listen`: the first line says how to verify the others. */
const Line = Type.Union([
  object({
    listening: describe(Type.Literal(true), 'The first line.'),
    api_version: describe(Text, 'The version that events are rendered in.'),
    secret: describe(Text, 'Verifies their signatures; it lasts as long as the connection.'),
  }),
  object({
    type: describe(Text, 'The kind of the event.'),
    headers: describe(Type.Record(Type.String(), Text), 'The headers that a receiver would get.'),
    body: describe(Text, 'The body that a receiver would get.'),
  }),
]);

interface OfOrganization {
  Params: { organization: string };
}

const organization = 'The id of the organization.';

/** An organization's webhooks, for operators; the organization is always named. */
export function webhookRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Webhooks');

  operation(
    'GET /operator/organizations/:organization/webhooks/endpoints',
    {
      id: 'list_webhook_endpoints',
      needs: 'viewer',
      summary: 'List the webhook endpoints of an organization',
      description: 'Their secrets are never shown.',
      params: { organization },
      query: pageQuery,
      answer: { description: 'A page of endpoints, oldest first.', body: pageOf(Endpoint) },
    },
    async (request) => {
      const page = await listEndpoints(environment, [request.params.organization], pageRequest(request));
      return pageBody(page, await endpointBodies(environment, page.items));
    },
  );

  operation(
    'POST /operator/organizations/:organization/webhooks/events/:id/redeliver',
    {
      id: 'redeliver_event',
      needs: 'support',
      summary: 'Send an event again as it was',
      params: { organization, id: 'The id of the event.' },
      answer: { status: 202, description: 'The event; it is sent shortly.', body: Event },
      errors: ['conflict', 'payload_expired'],
    },
    async (request) => {
      const { organization, id } = request.params;
      const event = await audited(environment, request, {
        act: (context) => redeliverEvent(context, [organization], id),
        entry: () => ({
          action: 'webhook_event.redelivered',
          organizationId: organization,
          details: { event_id: id },
        }),
      });
      return namedEvent(environment, event);
    },
  );

  operation(
    'POST /operator/organizations/:organization/webhooks/endpoints/:id/recover',
    {
      id: 'recover_events',
      needs: 'support',
      summary: 'Send again what an endpoint missed since a time',
      params: { organization, id: 'The id of the endpoint.' },
      body: Since,
      answer: { status: 202, description: 'The recovery that was started.', body: Recovery },
      errors: ['conflict'],
    },
    async (request) => {
      const { organization, id } = request.params;
      const since = readTime(request.body.since);
      if (!since) throw new ApiError('validation_failed', { detail: 'since is a time that does not exist.' });
      const recovery = await audited(environment, request, {
        act: (context) => startRecovery(context, { reach: [organization], id }, since),
        entry: () => ({
          action: 'webhook_endpoint.recovered',
          organizationId: organization,
          details: { endpoint_id: id },
        }),
      });
      return recoveryBody(recovery);
    },
  );

  endpointRoutes(app, environment);

  operation(
    'GET /operator/organizations/:organization/webhooks/listen',
    {
      id: 'listen_to_events',
      needs: 'viewer',
      summary: 'Receive the events of an organization as they happen, in the sandbox',
      description:
        'For developers without a public address. The answer goes on until the connection is closed: one line of JSON for each event, and empty lines that keep it open. Nothing is stored or sent again.',
      params: { organization },
      query: listenQuery,
      answer: {
        description: 'Lines; the first one says how to verify the others.',
        mediaType: 'application/x-ndjson',
        body: Line,
      },
      errors: ['conflict'],
    },
    async (request, reply) => {
      if (environment.name !== 'sandbox')
        throw new ApiError('conflict', { detail: 'Listening is available in the sandbox only.' });
      const { api_version: named = null, events = '*' } = request.query;
      const apiVersion = chosenVersion(environment, named);
      const wanted = events.split(',');
      checkKinds(environment, wanted, apiVersion);
      await stream(request, reply, { environment, apiVersion, wanted });
      return reply;
    },
  );
}

interface NamesEndpoint {
  Params: { id: string };
}

type ChangeOfEndpoint = (context: Context, id: EndpointId, actor: Actor) => Promise<StoredEndpoint | null>;

/** One endpoint, whatever organization it is in. Each change writes its own audit entry. */
function endpointRoutes(app: App, environment: Environment): void {
  const change = async (
    request: FastifyRequest<NamesEndpoint>,
    act: ChangeOfEndpoint,
  ): Promise<StoredEndpoint> => {
    const { id } = request.params;
    const changed = isEndpointId(id) ? await act(environment, id, operatorOf(request)) : null;
    if (!changed) throw new ApiError('not_found', { detail: 'There is no webhook endpoint with this id.' });
    return changed;
  };

  const operation = operationsOf(app, 'Webhooks');
  const params = { id: 'The id of the endpoint.' };

  operation(
    'POST /operator/webhooks/endpoints/:id/disable',
    {
      id: 'disable_webhook_endpoint',
      needs: 'support',
      summary: 'Disable a webhook endpoint',
      description: 'Its events are kept. Its organization cannot enable it; an operator can let it.',
      params,
      body: Disabling,
      bodyOptional: true,
      answer: { description: 'The endpoint, disabled.', body: Endpoint },
    },
    async (request) => {
      const explanation = reasonOf(request, request.body.reason);
      const disable: ChangeOfEndpoint = (context, id, actor) =>
        disableEndpoint(context, id, { reason: 'operator', explanation, actor });
      return namedEndpoint(environment, await change(request, disable));
    },
  );

  const enabling = {
    needs: 'admin',
    summary: 'Let an organization enable a disabled webhook endpoint again',
    params,
    answer: { description: 'The endpoint; it is still disabled.', body: Endpoint },
    errors: ['conflict'],
  } as const;

  operation(
    'POST /operator/webhooks/endpoints/:id/enable',
    { id: 'enable_webhook_endpoint', ...enabling },
    async (request) => namedEndpoint(environment, await change(request, allowEnabling)),
  );

  operation(
    'POST /operator/webhooks/endpoints/:id/release',
    { id: 'release_webhook_endpoint', ...enabling, description: 'The former name of enable.' },
    async (request) => namedEndpoint(environment, await change(request, allowEnabling)),
  );

  operation(
    'DELETE /operator/webhooks/endpoints/:id',
    {
      id: 'delete_webhook_endpoint',
      needs: 'admin',
      summary: 'Delete a webhook endpoint',
      params,
      answer: { status: 204, description: 'It is gone; what it has not received yet is not sent.' },
    },
    async (request) => {
      await change(request, deleteKnownEndpoint);
    },
  );
}

const HEARTBEAT_MS = 10_000;
const KEY_ENDED = 'The operator key was revoked, so listening has ended; listen again with a live one.';

interface Streaming {
  environment: Environment;
  apiVersion: ReturnType<typeof chosenVersion>;
  wanted: readonly string[];
}

/** One line of JSON per event, signed with a secret that lives as long as the connection; empty lines keep it open. */
async function stream(
  request: FastifyRequest<OfOrganization>,
  reply: FastifyReply,
  { environment, apiVersion, wanted }: Streaming,
): Promise<void> {
  const secret = newWebhookSecret();
  const gone = new AbortController();
  reply.hijack();
  reply.raw.on('close', () => gone.abort());
  reply.type('application/x-ndjson');
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  const writeLine = (line: object): void => void reply.raw.write(`${JSON.stringify(line)}\n`);
  const heartbeat = setInterval(() => reply.raw.write('\n'), HEARTBEAT_MS);
  try {
    writeLine({ listening: true, api_version: apiVersion, secret });
    const heard = listen(environment, {
      organizationId: request.params.organization,
      apiVersion,
      wants: (kind) => isWanted(wanted, kind),
      isAllowed: () => isStillOperator(request),
      signal: gone.signal,
    });
    for await (const event of heard)
      writeLine(deliveryLine(event, { apiVersion, secret, now: environment.clock.now() }));
    if (!gone.signal.aborted) writeLine({ ended: KEY_ENDED });
  } finally {
    clearInterval(heartbeat);
    reply.raw.end();
  }
}

/** The headers and the body that a receiver would get. */
function deliveryLine(
  { id, type, body }: Heard,
  { apiVersion, secret, now }: { apiVersion: string; secret: string; now: Date },
) {
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return {
    type,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatureHeader({ secrets: [secret], id, timestampSeconds, body }),
      'webhook-api-version': apiVersion,
    },
    body: body.toString(),
  };
}
