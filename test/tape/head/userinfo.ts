import { asking, type Step } from '../step.ts';

const read = asking('oauth2:read_userinfo', 'GET', '/v1/oauth2/userinfo');
const post = asking('oauth2:post_userinfo', 'POST', '/v1/oauth2/userinfo');

/** The same in every version. */
export const userinfoSteps: readonly Step[] = [
  read('with all scopes', '200'),
  read('with openid alone', '200', { as: 'unscoped' }),
  post('with all scopes', '200'),
  post('with JSON that is cut off', '400 invalid_request', {
    body: { type: 'application/json', text: '{"name":' },
  }),
];
