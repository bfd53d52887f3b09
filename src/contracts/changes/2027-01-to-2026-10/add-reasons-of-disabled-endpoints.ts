import type { Change, Json } from '@dateline/versions';
import { onEveryEndpoint } from '../on-every-endpoint.ts';

export const addReasonsOfDisabledEndpoints: Change = {
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
  touches: ['webhooks:**.disabled_reason', 'webhook_endpoint.disabled.**.reason'],
  downgradeResponse: onEveryEndpoint((endpoint) => ({
    ...endpoint,
    disabled_reason: knownReason(endpoint.disabled_reason),
  })),
  downgradeEvent: {
    'webhook_endpoint.disabled': ({ kind, data }) => ({
      kind,
      data: { ...data, reason: knownReason(data.reason) },
    }),
  },
};

const NEW: readonly unknown[] = ['access_ended', 'operator'];

/** The older version knows no other reason from outside than its owner. */
function knownReason(reason: Json[string]): Json[string] {
  return NEW.includes(reason) ? 'owner' : reason;
}
