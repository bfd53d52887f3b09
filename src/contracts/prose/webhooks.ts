import { describe, exampleId, type Fields, type Subject } from './prose.ts';

const NOON = '2026-11-15T12:00:00.000Z';
const SHA256 = '8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92';

const endpointFields: Fields = {
  'path.id': describe('The id of the webhook endpoint.', exampleId('whe')),
  id: describe('The id of the webhook endpoint.', exampleId('whe')),
  'query.cursor': describe('The next_cursor of the page before.', exampleId('whe')),
  items: describe('The webhook endpoints.'),
};

const recoveryFields: Fields = {
  ...endpointFields,
  id: describe('The id of the recovery.', exampleId('whr')),
  endpoint_id: describe('The webhook endpoint that gets the events.', exampleId('whe')),
  state: describe('How far it is.', 'running'),
  started_at: describe('When the recovery was ordered.', NOON),
};

const eventFields: Fields = {
  'path.id': describe('The id of the event.', exampleId('evt')),
  id: describe('The id of the event.', exampleId('evt')),
  'query.cursor': describe('The next_cursor of the page before.', exampleId('evt')),
  items: describe('The events.'),
  created_at: describe('When it was made.', NOON),
};

/** Where events are sent, and what became of them. */
export const webhookProse = (version: string): Subject => ({
  operations: {
    'webhooks:list_endpoints': {
      description: 'Lists the webhook endpoints of the token’s organizations. Their secrets are not shown.',
      answers: { 200: 'A page of webhook endpoints.' },
      fields: endpointFields,
    },
    'webhooks:create_endpoint': {
      description:
        'Makes a webhook endpoint: an address of yours that gets events by POST. Every delivery is signed (Standard Webhooks) with the secret of the answer. The endpoint keeps its version whatever version requests use. It ends with the access of the client and person that made it.',
      answers: { 201: 'The new webhook endpoint, with its secret, which is shown here only.' },
      sends: ['format', 'api_version', 'enabled', 'description', 'max_per_second'],
      fields: endpointFields,
    },
    'webhooks:read_endpoint': {
      description: 'Reads one webhook endpoint, without its secret.',
      answers: { 200: 'The webhook endpoint.' },
      fields: endpointFields,
    },
    'webhooks:update_endpoint': {
      description:
        'Changes the fields that are sent. Another api_version counts for events that are made from now on; events that exist keep theirs. To enable a disabled endpoint brings no event back: see recover.',
      answers: { 200: 'The webhook endpoint as it is now.' },
      fields: endpointFields,
    },
    'webhooks:delete_endpoint': {
      description: 'Deletes a webhook endpoint. Events that wait for it are not sent.',
      answers: { 204: 'It is deleted.' },
      fields: endpointFields,
    },
    'webhooks:rotate_secret': {
      description:
        'Makes a new secret. For some time deliveries are signed with both, so that you can change over.',
      answers: { 200: 'The webhook endpoint, with the new secret, which is shown here only.' },
      fields: endpointFields,
    },
    'webhooks:test_endpoint': {
      description: 'Sends the example of a kind of event, signed and delivered like a real one.',
      answers: { 202: 'The event that will be sent.' },
      fields: { ...eventFields, 'path.id': describe('The id of the webhook endpoint.', exampleId('whe')) },
    },
    'webhooks:preview': {
      description:
        'Shows an event in the version of the endpoint and in another one, and what differs. Nothing is sent. Name an event of the endpoint, or a kind to see its example.',
      answers: { 200: 'Both payloads, and where they differ.' },
      sends: ['type'],
      fields: endpointFields,
    },
    'webhooks:recover': {
      description:
        'Sends again what has failed or was held since a time, oldest first and at most ten a second.',
      answers: { 202: 'The recovery, which goes on by itself.' },
      fields: recoveryFields,
    },
    'webhooks:read_recovery': {
      description: 'Tells how far the last recovery of the endpoint is.',
      answers: { 200: 'The recovery.' },
      fields: recoveryFields,
    },
    'webhooks:cancel_recovery': {
      description:
        'Stops the last recovery of the endpoint. What was not tried yet goes back to what it was; what was tried goes on.',
      answers: { 200: 'The recovery as it ended.' },
      fields: recoveryFields,
    },
    'webhooks:list_events': {
      description: 'Lists what was made for webhook endpoints, and whether it has arrived.',
      answers: { 200: 'A page of events.' },
      fields: eventFields,
    },
    'webhooks:read_event': {
      description: 'Reads one event.',
      answers: { 200: 'The event.' },
      fields: eventFields,
    },
    'webhooks:redeliver': {
      description:
        'Sends an event again: the same bytes in the same version, whatever the version of its endpoint is now.',
      answers: { 202: 'The event, which will be sent.' },
      fields: eventFields,
    },
    'webhooks:list_deliveries': {
      description: 'Lists the attempts to deliver events, with what was answered.',
      answers: { 200: 'A page of attempts.' },
      fields: {
        'query.cursor': describe('The next_cursor of the page before.', exampleId('wha')),
        items: describe('The attempts.'),
        id: describe('The id of the attempt.', exampleId('wha')),
        'query.event_id': describe('Only attempts of this event.', exampleId('evt')),
        event_id: describe('The event that was sent.', exampleId('evt')),
        endpoint_id: describe('The webhook endpoint that it was sent to.', exampleId('whe')),
        started_at: describe('When the attempt began.', NOON),
      },
    },
    'webhooks:list_event_kinds': {
      description: 'Lists what a version publishes: what an endpoint with this version can subscribe to.',
      answers: { 200: 'A page of kinds of events.' },
      // Linters take a kind, which has a type and an example, for a schema.
      shows: { items: [], pagination: { next_cursor: null } },
      fields: {
        'query.cursor': describe('The next_cursor of the page before.', 'product.created'),
        items: describe('The kinds of events.'),
        api_version: describe('The version that publishes it.', version),
        'query.api_version': describe('The version to list; Current where it is left out.', version),
      },
    },
  },
  events: {
    'webhook_endpoint.disabled': 'Sent to the other endpoints of the organization when one is disabled.',
    'webhook_endpoint.version_moved':
      'Sent when a release removes the version of an endpoint: its events are made in the nearest version from then on.',
    'api_version.removal_notice':
      'Sent 30, 7 and 1 days before a version is removed that the organization still uses.',
    'api_version.released': 'Sent when a version becomes Current.',
    'api_version.release_undone': 'Sent when a release is taken back.',
  },
  fields: {
    organization_id: describe('The organization that it belongs to.', exampleId('org')),
    'request.organization_id': describe(
      'The organization that it is for; needed where the token reaches several.',
      exampleId('org'),
    ),
    url: describe(
      'Where events are sent. It must be a public https address; the sandbox may also allow local ones.',
      'https://example.com/webhooks',
    ),
    format: describe(
      'How bodies look: raw is JSON for programs, slack and discord are messages for people.',
      'raw',
    ),
    events: describe('The kinds to receive. A resource and .* means all of that resource, and * means all.', [
      '*',
    ]),
    api_version: describe('The version that events are made in.', version),
    'request.api_version': describe(
      'The version that events are made in. Left out or null, it is the one that is Current now, and stays it.',
      version,
    ),
    pinned_version: describe(
      'The version that was chosen. It differs from api_version once it is removed.',
      version,
    ),
    enabled: describe('Whether events are sent.', true),
    disabled_reason: describe('Why it is disabled; null while it is enabled.', null),
    description: describe('What it is for, in your words.', 'Keeps the shop up to date.'),
    max_per_second: describe('How many events it gets in a second at most; null for no limit.', 10),
    created_by: describe('Who made it, or has taken it over since; null where that was not noted.'),
    'created_by.client_id': describe('The client.', exampleId('cli')),
    'created_by.user_id': describe(
      'The person that the client acted for; null where it acted for itself.',
      null,
    ),
    created_at: describe('When it was made.', NOON),
    modified_at: describe('When it was last changed.', NOON),
    secret: describe(
      'What deliveries are signed with.',
      'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=',
    ),
    previous_secret_expires_at: describe(
      'Until when deliveries are also signed with the secret before.',
      '2026-11-16T12:00:00.000Z',
    ),
    'request.overlap_seconds': describe(
      'How long deliveries are signed with both secrets; a day where it is left out.',
      3600,
    ),

    'request.type': describe('The kind of the event.', 'token.revoked'),
    'request.event_id': describe('The event to show.', exampleId('evt')),
    'query.endpoint_id': describe('Only what this webhook endpoint gets.', exampleId('whe')),
    'query.type': describe('Only events of this kind.', 'token.revoked'),
    'query.state': describe('Only events in this state.', 'pending'),
    from: describe('The event in the version of the endpoint.'),
    to: describe('The event in the version that was asked for.'),
    payload: describe('The body as it would be sent; null where the version does not publish it.', {
      type: 'token.revoked',
      api_version: version,
    }),
    differences: describe('Where the two payloads differ.'),
    path: describe('The place in the payload.', 'data.visibility'),
    kind: describe('What happened to it on the way from one version to the other.', 'added'),

    since: describe('From when on events are sent again.', '2026-11-14T12:00:00.000Z'),
    total: describe('How many events are to be sent.', 20),
    remaining: describe('How many of them are still to come.', 5),
    delivered: describe('How many have arrived.', 14),
    failed: describe('How many have failed for good.', 1),

    occurrence_id: describe(
      'What has happened; all endpoints that are told of it share this id.',
      exampleId('occ'),
    ),
    endpoint_id: describe('The webhook endpoint that gets it.', exampleId('whe')),
    type: describe('The kind of the event.', 'token.revoked'),
    payload_sha256: describe(
      'The SHA-256 of the body in hex; null once the body is no longer stored.',
      SHA256,
    ),
    state: describe(
      'Waiting for an attempt, arrived, given up, kept back while the endpoint is disabled, or cancelled.',
      'pending',
    ),
    attempt_count: describe('How many attempts there were.', 0),
    next_attempt_at: describe('When the next attempt is due; null if there is none.', NOON),
    test: describe('Whether it is an example that was asked for.', true),
    duration_ms: describe('How long the attempt took, in milliseconds.', 120),
    status: describe('The HTTP status of the answer; null if none came.', 200),
    error: describe('Why no answer came; null if one did.', null),
    answer: describe('The beginning of the answer’s body.', 'ok'),

    summary: describe('What has happened when it is sent.', 'An access token was revoked'),
    scopes: describe('What a token must be allowed to do to subscribe to it.', ['webhooks:read']),
    schema: describe('The JSON Schema of its raw payload.', { type: 'object' }),
    example: describe('An example of its raw payload.', { type: 'token.revoked', api_version: version }),

    reason: describe('Why it was disabled.', 'failing'),
    disabled_at: describe('When it was disabled.', NOON),
    released_version: describe('The version whose release has removed the other one.', '2027-01'),
    'data.api_version': describe('The version that counts now.', '2026-10'),
    moved_at: describe('When that happened.', '2027-01-05T17:00:00.000Z'),
    version: describe('The version that this is about.', '2026-10'),
    removed_at: describe('When it is removed.', '2027-01-05T17:00:00.000Z'),
    days_left: describe('How many days are left until then.', 30),
    successor: describe('The version to move to.', '2026-10'),
    released_at: describe('When it became Current.', '2027-01-05T17:00:00.000Z'),
    deprecated_version: describe('The version that is Deprecated now.', '2026-07'),
    removed_version: describe('The version that was removed by it; null if none was.', null),
    undone_at: describe('When the release was taken back.', '2027-01-05T18:00:00.000Z'),
    current_version: describe('The version that is Current again.', '2026-10'),
    rehearsal: describe('Whether it was a rehearsal, in a sandbox.', false),
  },
});
