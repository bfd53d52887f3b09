import { describe, type Fields } from './prose.ts';

/** Describes Dateline without an API folder. */
export const aboutDateline = 'An OAuth 2.0 token service with a dated API contract.';

/** The introduction of the document: the first steps. */
export const aboutApi = (version: string, issuer: string): string => `This document is version ${version}.

## Get a token

A client with a secret gets a token for itself like this; in the sandbox the first start has written one into \`quickstart.json\`:

\`\`\`sh
curl ${issuer}/v1/oauth2/token -H 'Service-Version: ${version}' \\
  -d grant_type=client_credentials -d client_id=… -d client_secret=…
\`\`\`

Send the \`access_token\` of the answer as \`Authorization: Bearer …\`. It lives for an hour. To act for a person, send their browser to
\`/v1/oauth2/authorize\` and exchange the code that comes back. \`POST /v1/oauth2/register\` makes a client.

## Versions

Every request names its version in the header \`Service-Version\`, and every answer the version that it was made in. Without the header it is
Current, which changes at each release. A version that is not served is answered with 404 and \`version_not_found\`. Current and Deprecated never change; Next
may change at any time. \`/versions\` says which version is which, and until when.

## Errors

Each answer of 4xx and 5xx has a code for programs and a sentence for people. Go by the code. After 503 and 429 wait as long as \`Retry-After\`
says, then try again. \`X-Request-Id\` helps the operator to find a request.

## Webhooks

Deliveries are signed as Standard Webhooks describes. An endpoint has a version of its own, and an event keeps the version in which it was made.`;

export const tags: Readonly<Record<string, string>> = {
  oauth2: 'Tokens, clients and grants: how to get them and how to end them.',
  'OpenID Connect': 'What a token is, and who it acts for.',
  organizations: 'Who owns clients and webhook endpoints.',
  products: 'What organizations sell.',
  webhooks: 'Where events are sent, and what became of them.',
  public: 'What every integrator may call.',
};

export const securitySchemes: Readonly<Record<string, string>> = {
  bearer: 'An access token, with the scopes that the operation names.',
  registration_access_token: 'The token that came with the registration of the client.',
};

export const versionHeader =
  'The API version of the request. Without it the version that is Current counts, which changes at each release.';

/** Of operations that always redirect. */
export const otherErrors =
  'Whatever else goes wrong. It is a page; or an error as programs get it, where the service refuses a request before there can be a page, such as while it starts.';

/** The headers of answers. */
export const answerHeaders = (version: string): Fields => ({
  'Service-Version': describe('The version that the request was processed in.', version),
  'X-Request-Id': describe(
    'The id of the request, as the operator finds it in the log.',
    '01K9ZC4V7Q8W3N5T2R6Y1B0XHD',
  ),
  Deprecation: describe('Since when this version is Deprecated (RFC 9745).', '@1791306000'),
  Sunset: describe('When this version will be removed (RFC 8594).', 'Tue, 05 Jan 2027 17:00:00 GMT'),
  Link: describe(
    'Where the release notes and the document of the next version are.',
    '</versions>; rel="deprecation"',
  ),
  'Retry-After': describe('How many seconds to wait before the next try.', 1),
  'WWW-Authenticate': describe('How to authenticate.', 'Bearer realm="dateline"'),
  Location: describe('Where the browser goes next.', 'http://127.0.0.1/callback?code=dl_test_ac_example'),
});

/** The headers of deliveries. */
export const webhookHeaders = (version: string): Fields => ({
  'webhook-id': describe(
    'The id of the event. It stays the same when the event is sent again.',
    'evt_0000000000000000000001',
  ),
  'webhook-timestamp': describe('When this attempt was made, in seconds since 1970.', '1794744000'),
  'webhook-signature': describe(
    'One or more signatures, separated by spaces: "v1," and the base64 of the HMAC-SHA256 of "id.timestamp.body" with the secret.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  'webhook-api-version': describe('The version that the payload is written in.', version),
});
