import { recordAudit } from '../../../audit/audit-log.ts';
import { CHORE_ROWS_MAX, type Chore, daysAgo } from '../../../environments/chore.ts';
import type { Context } from '../../../environments/environment.ts';
import { removeOrganizations } from '../../../identity/organizations.ts';
import type { OrganizationId } from '../../../identity/types.ts';
import { removeClients } from '../clients/store.ts';
import { lockOldRegistrations, unusedOf } from './store.ts';

const UNUSED_KEPT_DAYS = 30;
const NAME = 'oauth_client_registrations';

/** Asks a room above which of these organizations own something there. */
export type OrganizationsInUse = (
  context: Context,
  ids: readonly OrganizationId[],
) => Promise<readonly OrganizationId[]>;

/**
 * In the sandbox anybody may register a client, which makes an organization too. Those that nobody has used within a month leave
 * together. In production an operator has allowed each of them.
 */
export const unusedRegistrationsChore = (organizationsInUse: OrganizationsInUse): Chore => ({
  name: NAME,
  async removeSome(context, now) {
    if (context.name !== 'sandbox') return { rows: { [NAME]: 0 }, more: false };
    return context.transaction(async (inside) => {
      const old = await lockOldRegistrations(inside.session, daysAgo(now, UNUSED_KEPT_DAYS), CHORE_ROWS_MAX);
      const inUse = await organizationsInUse(
        inside,
        old.map(({ organizationId }) => organizationId),
      );
      const ids = old.map(({ clientId }) => clientId);
      const unused = await unusedOf(inside.session, ids, { now, inUse });
      const removed = await removeClients(inside.session, unused);
      await removeOrganizations(
        inside,
        removed.map(({ organizationId }) => organizationId),
      );
      await recordAudit(
        inside,
        removed.map((ids) => ({
          ...ids,
          actor: { type: 'system', id: null },
          action: 'client.deleted',
          reason: `registered itself more than ${UNUSED_KEPT_DAYS} days ago, and was never used`,
        })),
      );
      return { rows: { [NAME]: removed.length }, more: old.length === CHORE_ROWS_MAX };
    });
  },
});
