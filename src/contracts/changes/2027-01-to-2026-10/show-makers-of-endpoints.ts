import { at } from '@dateline/versions';

export const showMakersOfEndpoints = at('webhooks:**')
  .field('created_by')
  .added({
    name: 'showMakersOfEndpoints',
    summary: 'A webhook endpoint shows in created_by which client made it, and for which user.',
    why: 'An endpoint ends with the access of its maker, so it has to show whose that is.',
    upgradeNote:
      'Nothing to do. created_by is null for endpoints from before; whoever enables a disabled endpoint, or changes its url, becomes its maker.',
    examples: [
      {
        before: { answerTo: 'GET /v1/webhooks/endpoints/{id}', status: 200, body: { enabled: true } },
        after: {
          answerTo: 'GET /v1/webhooks/endpoints/{id}',
          status: 200,
          body: {
            enabled: true,
            created_by: { client_id: 'cli_0000000000000000000001', user_id: 'usr_0000000000000000000001' },
          },
        },
      },
    ],
  });
