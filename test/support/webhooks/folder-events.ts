import { createLiveContracts } from '@dateline/versions';
import { createVersions } from '../../../src/compose/create-versions.ts';
import { createEnvironment, type Environment } from '../../../src/environments/environment.ts';
import type { SentEvent } from '../../../src/webhooks/publishing/event-findings.ts';
import { type PublishedEvent, publishEvents } from '../../../src/webhooks/publishing/publish-events.ts';
import { buildWithFolderKinds, orderData } from './folder-kinds.ts';

/** The same environment, as a service with kinds of its own has it. */
export function withFolderKinds(environment: Environment): Environment {
  const { name, issuer, clock, lifetimes, scopes, database } = environment;
  const contracts = createLiveContracts(buildWithFolderKinds().api, createVersions(clock));
  return createEnvironment({ name, issuer, clock, lifetimes, scopes, database, contracts });
}

/** An order, as its sender tells of it. */
export function orderEvent(
  organizationId: string,
  givenId: string,
  change: Partial<SentEvent> = {},
): SentEvent {
  return { givenId, type: 'order.created', organizationId, data: orderData(1), occurredAt: null, ...change };
}

/** Publishes events that are good. */
export async function publishGood(
  environment: Environment,
  events: readonly SentEvent[],
): Promise<readonly PublishedEvent[]> {
  const { folderKinds } = buildWithFolderKinds();
  const outcome = await publishEvents(environment, { events, folderKinds, dryRun: false });
  if ('refused' in outcome) throw new Error(JSON.stringify(outcome.refused));
  return outcome.published;
}
