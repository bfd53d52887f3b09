import { at } from '@dateline/versions';

export const refuseInvisibleCharactersInClientNames = at('oauth2:**')
  .field('client_name')
  .changed({
    name: 'refuseInvisibleCharactersInClientNames',
    summary: 'client_name takes no control or format characters, such as U+202E.',
    why: 'People decide by the name whom they give access; such characters make one name look like another.',
    upgradeNote:
      'Leave them out. In older versions they are taken, and shown as U+FFFD where people are asked.',
    examples: [
      {
        before: {
          ruleOf: 'POST /v1/oauth2/register',
          field: 'client_name',
          schema: { pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
        },
        after: {
          ruleOf: 'POST /v1/oauth2/register',
          field: 'client_name',
          schema: { pattern: '^[^\\p{Cc}\\p{Cf}]*$' },
        },
      },
    ],
  });
