import { authorizeSteps } from './head/authorize.ts';
import { bulkTokenSteps } from './head/bulk-tokens.ts';
import { grantSteps } from './head/grants.ts';
import { oauthSteps } from './head/oauth.ts';
import { organizationSteps } from './head/organizations.ts';
import { productSteps } from './head/products.ts';
import { registrationSteps } from './head/registration.ts';
import { userinfoSteps } from './head/userinfo.ts';
import { webhookSteps } from './head/webhooks.ts';
import type { Step } from './step.ts';

/**
 * Next, played by hand-written steps; `common-steps.ts` adds failures common to all. A new resource gets
 * a file in head/ and a line here. When Next is released, its tape is recorded from this.
 */
export const headScript: readonly Step[] = [
  ...oauthSteps,
  ...bulkTokenSteps,
  ...registrationSteps,
  ...userinfoSteps,
  ...authorizeSteps,
  ...grantSteps,
  ...organizationSteps,
  ...productSteps,
  ...webhookSteps,
];
