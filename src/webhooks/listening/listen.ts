import { setTimeout as delay } from 'node:timers/promises';
import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import { eventIn, renderPayload } from '../publishing/render-payload.ts';
import { eventIdPrefix, type Occurrence, type OccurrenceId, occurrenceIdPrefix } from '../types.ts';
import { selectOccurrencesAfter } from './store.ts';

export interface Listening {
  organizationId: string;
  apiVersion: ApiVersion;
  /** Returns true for a kind that is wanted. */
  wants(kind: string): boolean;
  /** Asked at every look and before every event: what was allowed when it began may have been taken back. */
  isAllowed(): Promise<boolean>;
  signal: AbortSignal;
}

export interface Heard {
  id: string;
  type: string;
  body: Buffer;
}

const POLL_MS = 250;
/** Ids are made before their transactions commit: an occurrence that is late by less than this is still sent. */
const LATE_MS = 5_000;
const READ_AT_ONCE = 100;

/**
 * The events of an organization from now on, rendered in one version, for a developer without a public address. Nothing
 * is stored or retried: events are missed while no one listens.
 */
export async function* listen(context: Context, listening: Listening): AsyncGenerator<Heard> {
  const { organizationId, signal } = listening;
  const begun = context.clock.now();
  const heard = new Map<string, number>();
  while (!signal.aborted && (await listening.isAllowed())) {
    const now = context.clock.now();
    const from = new Date(Math.max(begun.getTime(), now.getTime() - LATE_MS));
    const first = firstIdAt<'occurrence'>(occurrenceIdPrefix, from);
    for await (const occurrence of occurrencesAfter(context, first, organizationId)) {
      if (heard.has(occurrence.id)) continue;
      // Not when it happened: that may be long ago, and it would be forgotten and heard again.
      heard.set(occurrence.id, now.getTime());
      const event = toEvent(context, occurrence, listening);
      if (!event) continue;
      if (!(await listening.isAllowed())) return;
      yield event;
    }
    forget(heard, from);
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Every one of them, however many have happened at once. */
async function* occurrencesAfter(
  { session }: Context,
  first: OccurrenceId,
  organizationId: string,
): AsyncGenerator<Occurrence> {
  let after: OccurrenceId | undefined = first;
  while (after !== undefined) {
    const found: Occurrence[] = await selectOccurrencesAfter(session, {
      after,
      organizationId,
      limit: READ_AT_ONCE,
    });
    yield* found;
    after = found.length < READ_AT_ONCE ? undefined : found.at(-1)?.id;
  }
}

function toEvent(context: Context, occurrence: Occurrence, { apiVersion, wants }: Listening): Heard | null {
  const event = eventIn(context, apiVersion, occurrence);
  if (!event || !wants(event.kind)) return null;
  return {
    id: newId(eventIdPrefix, context.clock.now()),
    type: event.kind,
    body: renderPayload(context, occurrence, { apiVersion, format: 'raw' }),
  };
}

function forget(heard: Map<string, number>, before: Date): void {
  for (const [id, atMs] of heard) if (atMs < before.getTime() - LATE_MS) heard.delete(id);
}
