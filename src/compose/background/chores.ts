import { auditChore } from '../../audit/store.ts';
import { sightingChore } from '../../doctor/keep-sightings.ts';
import type { Chore } from '../../environments/chore.ts';
import { operatorSessionChore } from '../../identity/operator-sessions/store.ts';
import { passwordLinkChore } from '../../identity/password-links/store.ts';
import { sessionChore } from '../../identity/sessions/store.ts';
import { codeChore } from '../../oauth/authorize/codes/store.ts';
import { clientChore } from '../../oauth/clients/clients/store.ts';
import { registrationTokenChore } from '../../oauth/clients/registration/store.ts';
import { unusedRegistrationsChore } from '../../oauth/clients/registration/unused-registrations-chore.ts';
import { rotationChore } from '../../oauth/grants/refresh/store.ts';
import { tokenChores } from '../../oauth/tokens/retention/token-chores.ts';
import { organizationsWithProducts } from '../../products/products.ts';
import { failureChore } from '../../usage/failures/failure-chores.ts';
import { usageChores } from '../../usage/usage-chores.ts';
import { deliveryChores } from '../../webhooks/retention/delivery-chores.ts';

/** The chores of all rooms, in order: rows that refer to others are deleted before these. */
export const chores: readonly Chore[] = [
  rotationChore,
  ...tokenChores,
  codeChore,
  clientChore,
  unusedRegistrationsChore(organizationsWithProducts),
  registrationTokenChore,
  operatorSessionChore,
  sessionChore,
  passwordLinkChore,
  auditChore,
  ...deliveryChores,
  ...usageChores,
  failureChore,
  sightingChore,
];
