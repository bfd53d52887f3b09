import {
  Endpoint as EndpointSchema,
  Event as EventSchema,
  Recovery as RecoverySchema,
} from '../../contracts/head/webhooks.ts';
import { describe, described, object, orNull, Text } from './fields.ts';

export const Endpoint = object({
  ...described(EndpointSchema, {
    id: 'Begins with whe_.',
    organization_id: 'The organization whose events it receives.',
    url: 'Where events are sent.',
    format: 'How they are written: raw JSON, or a message for Slack or Discord.',
    events: 'The kinds that it receives.',
    api_version: 'The version that its events have.',
    pinned_version: 'The version that was chosen for it; it differs once that one is removed.',
    enabled: 'Whether events are sent.',
    disabled_reason: 'Why not; null while it is enabled.',
    description: 'The description that its owner gave it.',
    max_per_second: 'How many events a second it takes at most; null for no bound of its own.',
    created_by: 'The client and the user that made it; null where that is not known.',
    created_at: 'When it was created.',
    modified_at: 'When it was last changed.',
  }).properties,
  created_by: describe(
    orNull(
      object({
        client_id: describe(Text, 'The client that made it.'),
        user_id: describe(
          orNull(Text),
          'The user whose token it was; null for a token of the client itself.',
        ),
      }),
    ),
    'Who made it; null where that is not known.',
  ),
});

export const Event = described(EventSchema, {
  id: 'Begins with evt_. It is the webhook-id of its deliveries.',
  occurrence_id: 'What happened; events of several endpoints may be about the same.',
  endpoint_id: 'The endpoint that it is for.',
  organization_id: 'The organization of the endpoint.',
  type: 'The kind of the event.',
  api_version: 'The version that it was rendered in.',
  format: 'How it is written.',
  created_at: 'When it happened.',
  payload_sha256: 'The hash of what is sent; null once that is no longer stored.',
  state: 'The state of its delivery.',
  attempt_count: 'The number of delivery attempts.',
  next_attempt_at: 'The time of the next attempt; null if there is none.',
  test: 'Whether it was sent to try the endpoint out.',
});

export const Recovery = described(RecoverySchema, {
  id: 'Begins with rec_.',
  endpoint_id: 'The endpoint whose events are sent again.',
  since: 'From when on.',
  state: 'Whether it is still going on.',
  started_at: 'When it was started.',
  total: 'How many events it sends again.',
  remaining: 'How many of them are still to come.',
  delivered: 'How many were delivered.',
  failed: 'How many could not be delivered.',
});
