import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { checkKinds, chosenVersion } from '../../webhooks/endpoints/check-endpoint.ts';
import { listEndpoints } from '../../webhooks/endpoints/read-endpoints.ts';
import { startRecovery } from '../../webhooks/events/recover-events.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { type Heard, listen } from '../../webhooks/listening/listen.ts';
import { newWebhookSecret, signatureHeader } from '../../webhooks/sending/sign-delivery.ts';
import { isWanted } from '../../webhooks/wanted-kinds.ts';
import { endpointBody, eventBody, recoveryBody } from '../api/operations/webhook-bodies.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { readTime } from '../app/read-time.ts';
import { audited, isStillOperator } from './acting-operator.ts';

const Since = Type.Object({ since: Type.String({ format: 'date-time' }) }, { additionalProperties: false });
const Listen = Type.Object({
  api_version: Type.Optional(Type.String({ maxLength: 20 })),
  events: Type.Optional(Type.String({ maxLength: 2_000 })),
});

interface OfOrganization {
  Params: { organization: string; id: string };
}

/** An organization's webhooks, for operators; the organization is always named. */
export function webhookRoutes(app: App, environment: Environment): void {
  app.get<OfOrganization>('/operator/organizations/:organization/webhooks/endpoints', async (request) =>
    pageBody(
      await listEndpoints(environment, [request.params.organization], pageRequest(request)),
      (endpoint) => endpointBody(environment, endpoint),
    ),
  );

  app.post<OfOrganization>(
    '/operator/organizations/:organization/webhooks/events/:id/redeliver',
    async (request, reply) => {
      const { organization, id } = request.params;
      const event = await audited(environment, request, {
        act: (scene) => redeliverEvent(scene, [organization], id),
        entry: () => ({
          action: 'webhook_event.redelivered',
          organizationId: organization,
          details: { event_id: id },
        }),
      });
      return reply.status(202).send(eventBody(event));
    },
  );

  app.post<OfOrganization & { Body: Type.Static<typeof Since> }>(
    '/operator/organizations/:organization/webhooks/endpoints/:id/recover',
    { schema: { body: Since } },
    async (request, reply) => {
      const { organization, id } = request.params;
      const since = readTime(request.body.since);
      if (!since) throw new ApiError('validation_failed', { detail: 'since is a time that does not exist.' });
      const recovery = await audited(environment, request, {
        act: (scene) => startRecovery(scene, { reach: [organization], id }, since),
        entry: () => ({
          action: 'webhook_endpoint.recovered',
          organizationId: organization,
          details: { endpoint_id: id },
        }),
      });
      return reply.status(202).send(recoveryBody(recovery));
    },
  );

  app.get<OfOrganization & { Querystring: Type.Static<typeof Listen> }>(
    '/operator/organizations/:organization/webhooks/listen',
    { schema: { querystring: Listen } },
    async (request, reply) => {
      if (environment.name !== 'sandbox')
        throw new ApiError('conflict', { detail: 'Listening is for the sandbox only.' });
      const { api_version: named = null, events = '*' } = request.query;
      const apiVersion = chosenVersion(environment, named);
      const wanted = events.split(',');
      checkKinds(environment, wanted, apiVersion);
      await stream(request, reply, { environment, apiVersion, wanted });
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
  reply.raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
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

/** What a receiver would get. */
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
