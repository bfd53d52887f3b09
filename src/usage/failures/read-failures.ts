import type { Context } from '../../environments/environment.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { dayOf, firstOfDays } from '../day.ts';
import { RETENTION_DAYS } from './keep-failures.ts';
import {
  type FailureFilter,
  groupFailedRequests,
  selectFailedRequests,
  selectLastFailedRequests,
} from './store.ts';
import type { FailedRequest, FailureGroup } from './types.ts';

/** Newest first. */
export async function listFailures(
  { session }: Context,
  filter: FailureFilter,
  page: PageRequest,
): Promise<Page<FailedRequest>> {
  return toPage(await selectFailedRequests(session, filter, page), page.limit, ({ id }) => id);
}

/** The last failed request of each client, by its id. */
export async function lastFailuresOf(
  { session }: Context,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string | null, FailedRequest>> {
  const failed = await selectLastFailedRequests(session, clientIds);
  return new Map(failed.map((one) => [one.clientId, one]));
}

const GROUPS_MAX = 500;

/** Of today and the days before it, in UTC as usage is counted; most frequent first. */
export async function groupFailures(
  { session, clock }: Context,
  { days = RETENTION_DAYS, clientId = null }: { days?: number; clientId?: string | null },
): Promise<FailureGroup[]> {
  const since = new Date(firstOfDays(days, dayOf(clock.now())));
  return groupFailedRequests(session, { since, clientId, groupsMax: GROUPS_MAX });
}
