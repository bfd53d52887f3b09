import { asking, type Step, type StepParts } from '../step.ts';

const authorize = asking('oauth2:authorize', 'GET', '/v1/oauth2/authorize');
const post = asking('oauth2:post_authorize', 'POST', '/v1/oauth2/authorize');

const request = {
  response_type: 'code',
  client_id: '{{web.client}}',
  redirect_uri: 'https://app.example/callback',
  state: 'kept',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** A request as a browser sends it, with some parameters changed; an empty text leaves a parameter out. */
function brought(change: Readonly<Record<string, string>> = {}): StepParts {
  const parameters = Object.entries({ ...request, ...change }).filter(([, value]) => value !== '');
  return { as: 'nobody', query: parameters.map(([name, value]) => `${name}=${value}`).join('&') };
}

const FORM = 'application/x-www-form-urlencoded';
const posted = (body: NonNullable<StepParts['body']>): StepParts => ({ as: 'nobody', body });

export const authorizeSteps: readonly Step[] = [
  authorize('a person who has to sign in', '200', brought()),
  authorize('nobody in particular', '400 invalid_request', { as: 'nobody' }),
  authorize('for a client that is unknown', '400 invalid_request', brought({ client_id: 'x' })),
  authorize(
    'with an address that is not registered',
    '400 invalid_request',
    brought({ redirect_uri: 'https://evil.example' }),
  ),
  authorize('without a challenge', '302', brought({ code_challenge: '' })),
  authorize('with a plain challenge', '302', brought({ code_challenge_method: 'plain' })),
  authorize('for a token', '302', brought({ response_type: 'token' })),
  authorize('with a scope that is unknown', '302', brought({ scope: 'colour:red' })),
  authorize('for a resource that is unknown', '302', brought({ resource: 'https://unknown.example' })),
  authorize('without bothering anybody', '302', brought({ prompt: 'none' })),
  authorize('with prompts that exclude each other', '302', brought({ prompt: 'none%20login' })),
  post('a person who has to sign in', '303', posted({ type: FORM, text: brought().query ?? '' })),
  post('twice', '400 invalid_request', posted({ type: FORM, text: 'client_id=x&client_id=y' })),
  post('with a body that is too large', '413 payload_too_large', posted({ type: FORM, bytes: 300_000 })),
  post(
    'with a body of another type',
    '415 unsupported_media_type',
    posted({ type: 'application/xml', text: '<client_id/>' }),
  ),
];
