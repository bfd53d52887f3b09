import { at } from '@dateline/versions';

export const addPreferredUsernames = at('oauth2:**_userinfo.responses.200')
  .field('preferred_username')
  .added({
    name: 'addPreferredUsernames',
    summary:
      'An id_token and userinfo have preferred_username, the address that the person signs in with, where profile and email were granted.',
    why: 'Many products take the name of an account from it and have no setting for another claim.',
    upgradeNote:
      'Nothing to do. Ask for profile and email to get it. Use sub to recognise a person: an address may change.',
    examples: [
      {
        before: {
          answerTo: 'GET /v1/oauth2/userinfo',
          status: 200,
          body: { sub: 'usr_0001', name: 'Demo user', email: 'demo@example.com', email_verified: false },
        },
        after: {
          answerTo: 'GET /v1/oauth2/userinfo',
          status: 200,
          body: {
            sub: 'usr_0001',
            name: 'Demo user',
            preferred_username: 'demo@example.com',
            email: 'demo@example.com',
            email_verified: false,
          },
        },
      },
    ],
  });
