import { auditChore } from '../../audit/store.ts';
import { sightingChore } from '../../doctor/keep-sightings.ts';
import { nodeChore } from '../../doctor/node-signs.ts';
import type { Chore } from '../../environments/chore.ts';
import type { Environment } from '../../environments/environment.ts';
import { keepHouse } from '../../housekeeping/keep-house.ts';
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
import { failureChore } from '../../usage/failures/keep-failures.ts';
import { usageChores } from '../../usage/usage-chores.ts';
import { deliveryChores } from '../../webhooks/retention/delivery-chores.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to delete expired rows. */
export function removeOldRows(
  { options, closing, metrics, log }: EnvironmentRuntime,
  environment: Environment,
): void {
  const stop = keepHouse({
    context: environment,
    chores,
    ...(options.housekeepingMs === undefined ? {} : { roundMs: options.housekeepingMs }),
    // The embedded database works in this process: requests have half of the time.
    ...(environment.database.engine === 'pglite' ? { restMs: (tookMs: number) => tookMs } : {}),
    onRemoved: metrics.countRemoved,
    onError: (chore, error) => log.warn({ chore, internal: String(error) }, 'housekeeping failed'),
  });
  closing.stopThen(stop);
}

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
  nodeChore,
];
