import type { Context } from '../../environments/environment.ts';
import { holdEventsOfOrganization } from './store.ts';

/** Holds what waits to be sent to the endpoints of a suspended organization. What happens later is held when it is recorded. */
export async function holdEventsOf({ session }: Context, organizationId: string): Promise<void> {
  await holdEventsOfOrganization(session, organizationId);
}
