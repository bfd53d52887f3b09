import type { Change } from '@dateline/versions';

export const refuseUnknownQueryParameters: Change = {
  name: 'refuseUnknownQueryParameters',
  kind: 'changed',
  summary:
    'Outside of OAuth, a query parameter that an operation does not have is refused, and so is a cursor that no answer gave.',
  why: 'A mistyped filter showed everything, and page=2 showed the first page again.',
  upgradeNote: 'Send the parameters of the reference only, and as cursor the next_cursor of an answer.',
  examples: [
    {
      before: { request: 'GET /v1/webhooks/events?cursor=2' },
      after: { request: 'GET /v1/webhooks/events?cursor=evt_0000000000000000000010' },
    },
  ],
  touches: [
    '**.unknownQuery',
    'webhooks:list_endpoints.query.properties.cursor',
    'webhooks:list_events.query.properties.cursor',
    'webhooks:list_deliveries.query.properties.cursor',
    'webhooks:list_event_kinds.query.properties.cursor',
  ],
};
