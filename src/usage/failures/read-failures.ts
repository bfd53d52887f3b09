import type { Context } from '../../environments/environment.ts';
import type { Period } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { dayOf, firstOfDays } from '../day.ts';
import { RETENTION_DAYS } from './keep-failures.ts';
import {
  type FailureFilter,
  type GroupFilter,
  groupFailedRequests,
  selectFailedRequests,
  selectLastFailedRequests,
} from './store.ts';
import type { FailedRequest, FailureGroup } from './types.ts';

/** Newest first. */
export async function listFailures(
  { session }: Context,
  filter: FailureFilter & Period,
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

/** Most frequent first. Without a beginning: of today and the days before it, in UTC as usage is counted. */
export async function groupFailures(
  { session, clock }: Context,
  { days = RETENTION_DAYS, ...filter }: Partial<GroupFilter> & { days?: number },
): Promise<FailureGroup[]> {
  const { clientId = null, version = null, requestedVersion = null, until = null } = filter;
  const since = filter.since ?? new Date(firstOfDays(days, dayOf(clock.now())));
  return groupFailedRequests(session, { clientId, version, requestedVersion, since, until }, GROUPS_MAX);
}
