import type { ApiVersion, ValidationFinding } from '@dateline/versions';
import { daysAgo } from '../../environments/chore.ts';
import type { Context } from '../../environments/environment.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { isOrganizationId } from '../../identity/types.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { FolderKinds } from './folder-kinds.ts';

/** An event as its sender tells it. */
export interface SentEvent {
  /** The sender's own id, unique in its organization. */
  givenId: string;
  type: string;
  organizationId: string;
  data: Readonly<Record<string, unknown>>;
  /** Null: now. */
  occurredAt: Date | null;
}

/** An event with its place in the batch. */
export type PlacedEvent = SentEvent & { index: number };

const AHEAD_MS_MAX = 60_000;
/** Nobody reads more of them at once. */
const FINDINGS_MAX = 10;

/** Returns what keeps events from being published, by places in their batch such as `/events/3/data/total`. */
export async function eventFindings(
  context: Context,
  folderKinds: FolderKinds,
  events: readonly PlacedEvent[],
): Promise<ValidationFinding[]> {
  const named = [...new Set(events.map(({ organizationId }) => organizationId))];
  const found = await organizationsOf(context, named.filter(isOrganizationId));
  const organizations = new Set<string>(found.map(({ id }) => id));
  return inBatch(events, (event) => [
    ...organizationFindings(event, organizations),
    ...timeFindings(context, event),
    ...dataFindings(context, folderKinds, event),
  ]);
}

/** The first findings of a batch, each below the place of its event. */
export function inBatch(
  events: readonly PlacedEvent[],
  findingsOf: (event: PlacedEvent) => readonly ValidationFinding[],
): ValidationFinding[] {
  const findings: ValidationFinding[] = [];
  for (const event of events) {
    if (findings.length >= FINDINGS_MAX) break;
    for (const found of findingsOf(event))
      findings.push({ ...found, instancePath: `/events/${event.index}${found.instancePath}` });
  }
  return findings.slice(0, FINDINGS_MAX);
}

export function finding(instancePath: string, message: string): ValidationFinding {
  return { keyword: 'publishing', schemaPath: '', instancePath, params: {}, message };
}

function organizationFindings(
  { organizationId }: SentEvent,
  organizations: ReadonlySet<string>,
): ValidationFinding[] {
  return organizations.has(organizationId) ? [] : [finding('/organization_id', 'names no organization')];
}

function timeFindings({ clock, lifetimes }: Context, { occurredAt }: SentEvent): ValidationFinding[] {
  if (occurredAt === null) return [];
  const now = clock.now();
  const { webhookRetentionDays: days } = lifetimes;
  if (occurredAt.getTime() > now.getTime() + AHEAD_MS_MAX)
    return [finding('/occurred_at', 'lies in the future')];
  if (occurredAt < daysAgo(now, days))
    return [finding('/occurred_at', `lies further back than the ${days} days for which events are kept`)];
  return [];
}

function dataFindings(
  context: Context,
  { version, kinds }: FolderKinds,
  event: SentEvent,
): readonly ValidationFinding[] {
  if (!kinds.has(event.type))
    return [{ ...finding('/type', ''), keyword: 'enum', params: { allowedValues: [...kinds] } }];
  const found = findingsIn(context, version, event);
  return found.length > 0 ? found : translationFindings(context, version, event);
}

/** What older versions make of an event is checked before anything is written: later, nobody could correct it. */
function translationFindings(context: Context, newest: ApiVersion, event: SentEvent): ValidationFinding[] {
  const older = context.contracts.maintained().filter((version) => version < newest);
  return older.flatMap((version) => {
    const problem = translationProblem(context, version, event);
    return problem === null ? [] : [finding('/data', `cannot be published as ${version} has it: ${problem}`)];
  });
}

function translationProblem(context: Context, version: ApiVersion, event: SentEvent): string | null {
  try {
    const older = context.contracts.eventIn(version, { kind: event.type, data: event.data });
    if (older === null) return null;
    const [found] = findingsIn(context, version, { ...event, type: older.kind, data: older.data });
    return found ? `after the changes ${found.instancePath || 'it'} ${found.message}` : null;
  } catch (error) {
    return `a change throws ${errorMessage(error)}`;
  }
}

function findingsIn(
  { contracts, clock }: Context,
  version: ApiVersion,
  { type, data, occurredAt }: SentEvent,
): readonly ValidationFinding[] {
  const timestamp = (occurredAt ?? clock.now()).toISOString();
  return contracts.findingsIn(version, type, { type, api_version: version, timestamp, data });
}
