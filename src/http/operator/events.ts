import { type Static, Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SentEvent } from '../../webhooks/publishing/event-findings.ts';
import type { FolderKinds } from '../../webhooks/publishing/folder-kinds.ts';
import { type PublishedEvent, publishEvents } from '../../webhooks/publishing/publish-events.ts';
import type { App } from '../app/create-app.ts';
import { readTime } from '../app/read-time.ts';
import { byWholePath, validationError } from '../app/validation-error.ts';
import { AnyId, describe, Name, object, optional, orNull, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const EVENTS_MAX = 1_000;
const BODY_BYTES_MAX = 4 * 2 ** 20;

const Event = object({
  id: describe(
    Name,
    'Your own id of the event, unique in its organization. The same event under the same id is published once, however often it is sent.',
  ),
  type: describe(Text, 'Its kind: one that your API publishes.'),
  organization_id: describe(AnyId, 'The organization whose webhook endpoints get it.'),
  data: describe(
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    'Its data, in the newest version of your API; at most 256 KiB. Endpoints get it in their own version.',
  ),
  occurred_at: optional(Text, 'When it happened, such as 2027-01-06T17:00:00Z: now, unless said otherwise.'),
});

const Batch = object({
  events: describe(
    Type.Array(Event, { minItems: 1, maxItems: EVENTS_MAX }),
    'The events, in the order in which they are to be sent.',
  ),
  dry_run: optional(Type.Boolean(), 'Check only, and publish nothing.'),
});

const Published = object({
  id: describe(Text, 'Your id.'),
  occurrence_id: describe(orNull(Text), 'Our id; null in a dry run, for what was not published before.'),
  already: describe(Type.Boolean(), 'It was published before, or stands earlier in this batch.'),
});

const Results = object({
  dry_run: describe(Type.Boolean(), 'Nothing was published, only checked.'),
  events: describe(Type.Array(Published), 'In the order of the request.'),
});

export type EventMetrics = Pick<Metrics, 'countPublished'>;

interface EventParts {
  environment: Environment;
  folderKinds: FolderKinds;
  metrics: EventMetrics;
}

/** Events of the API folder, published by the upstream's programs. */
export function eventRoutes(app: App, { environment, folderKinds, metrics }: EventParts): void {
  const operation = operationsOf(app, 'Events');

  operation(
    'POST /operator/events',
    {
      id: 'publish_events',
      needs: 'publisher',
      summary: 'Publish events of your API',
      description: `All of them or, where one is refused, none; a refusal names its place, such as events[3].data.total. A batch has up to ${EVENTS_MAX} events and ${BODY_BYTES_MAX / 2 ** 20} MiB. It may be sent again at any time: what was published already is not published again.`,
      body: Batch,
      bodyBytesMax: BODY_BYTES_MAX,
      answer: { description: 'The result for each event.', body: Results },
      errors: ['conflict'],
    },
    async (request) => {
      const { events, dry_run: dryRun = false } = request.body;
      const outcome = await publishEvents(environment, {
        events: events.map(readEvent),
        folderKinds,
        dryRun,
      });
      if ('refused' in outcome) throw validationError(outcome.refused, byWholePath);
      // Not audited: the log would hold little else. The log line of the request names the key.
      if (!dryRun)
        for (const { type, already } of outcome.published) if (!already) metrics.countPublished(type);
      return { dry_run: dryRun, events: outcome.published.map(publishedBody) };
    },
  );
}

function readEvent(sent: Static<typeof Event>, index: number): SentEvent {
  const { id: givenId, type, organization_id: organizationId, data, occurred_at: time } = sent;
  const occurredAt = time === undefined ? null : readTime(time);
  if (time !== undefined && occurredAt === null)
    throw new ApiError('validation_failed', {
      detail: `events[${index}].occurred_at must be a time, such as 2027-01-06T17:00:00Z.`,
    });
  return { givenId, type, organizationId, data, occurredAt };
}

function publishedBody({ givenId, occurrenceId, already }: PublishedEvent): Wire<typeof Published> {
  return { id: givenId, occurrence_id: occurrenceId, already };
}
