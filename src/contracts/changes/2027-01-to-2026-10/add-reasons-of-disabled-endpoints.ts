import { at, together } from '@dateline/versions';

/** The older version knows no other reason from outside than its owner. */
const known = { access_ended: 'owner', operator: 'owner' };

export const addReasonsOfDisabledEndpoints = together(
  [
    at('webhooks:**').field('disabled_reason').values(known),
    at('webhook_endpoint.disabled').field('reason').values(known),
  ],
  {
    name: 'addReasonsOfDisabledEndpoints',
    kind: 'added',
    summary:
      'disabled_reason of a webhook endpoint gains the values access_ended and operator, and so does its event.',
    why: 'An endpoint is disabled with the access of its maker, and operators can disable one.',
    upgradeNote:
      'Enable an endpoint with access_ended to take it over. One with operator stays disabled until an operator releases it.',
    examples: [
      {
        before: {
          answerTo: 'GET /v1/webhooks/endpoints/{id}',
          status: 200,
          body: { enabled: false, disabled_reason: 'owner' },
        },
        after: {
          answerTo: 'GET /v1/webhooks/endpoints/{id}',
          status: 200,
          body: { enabled: false, disabled_reason: 'access_ended' },
        },
      },
      {
        before: { event: 'webhook_endpoint.disabled', data: { reason: 'owner' } },
        after: { event: 'webhook_endpoint.disabled', data: { reason: 'operator' } },
      },
    ],
  },
);
