import type { ApiVersion, Contract, Operation } from '@dateline/versions';
import { Type } from 'typebox';
import { authorizeOperations } from './authorize.ts';
import { bulkTokenOperations } from './bulk-tokens.ts';
import { productEvents, serviceEvents } from './events.ts';
import { closed } from './fields.ts';
import { grantOperations } from './grants.ts';
import { oauthOperations } from './oauth.ts';
import { type OperationDefinition, plain } from './operation-parts.ts';
import { organizationOperations } from './organizations.ts';
import { productOperations } from './products.ts';
import { registrationOperations } from './registration.ts';
import { userinfoOperations } from './userinfo.ts';
import { webhookOperations } from './webhooks.ts';

/** RFC 9457 problem details, with our code beside its members. */
const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
  },
  closed,
);

/** Operations that programs call: each has a handler. */
export const headOperations = {
  ...oauthOperations,
  ...bulkTokenOperations,
  ...registrationOperations,
  ...userinfoOperations,
  ...grantOperations,
  ...organizationOperations,
  ...productOperations,
  ...webhookOperations,
};

/**
 * Next: the only contract that is written by hand. After it is released, a new Next begins with the same contract
 * under the following name.
 */
export const headContract = (version: ApiVersion): Contract => ({
  version,
  errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: plain(Problem) },
  operations: Object.entries({ ...headOperations, ...authorizeOperations }).map(published),
  events: [...productEvents(version), ...serviceEvents(version)],
});

function published([id, definition]: readonly [string, OperationDefinition]): Operation {
  const { command: _internal, extras: _internalToo, ...operation } = definition;
  // OAuth ignores parameters it does not know (RFC 6749 §3.1, §3.2).
  const isOAuth = operation.path.startsWith('/v1/oauth2/');
  return { id, ...operation, ...(isOAuth ? {} : { unknownQuery: 'refused' }) };
}
