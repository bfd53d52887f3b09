import type { ApiVersion } from '@dateline/versions';
import { type Id, isId } from '../kernel/ids.ts';
import type { StageTimes } from './sending/stopwatch.ts';

export type OccurrenceId = Id<'occurrence'>;
export type EndpointId = Id<'webhook endpoint'>;
export type EventId = Id<'webhook event'>;
export type AttemptId = Id<'webhook attempt'>;
export type SecretId = Id<'webhook secret'>;
export type RecoveryId = Id<'webhook recovery'>;

export const occurrenceIdPrefix = 'occ';
export const endpointIdPrefix = 'whe';
export const eventIdPrefix = 'evt';
export const attemptIdPrefix = 'wha';
export const recoveryIdPrefix = 'whr';
export const secretIdPrefix = 'whs';

export const isEndpointId = (id: string): id is EndpointId => isId(endpointIdPrefix, id);
export const isEventId = (id: string): id is EventId => isId(eventIdPrefix, id);

/** Wakes the workers that deliver. */
export const DELIVERIES_CHANNEL = 'deliveries';

export type Format = 'raw' | 'slack' | 'discord';

/**
 * `held` belongs to an endpoint that is disabled, or whose maker may not read it any more: nothing is sent, and nothing is
 * lost. `cancelled` belongs to one that was deleted.
 */
export const eventStates = ['pending', 'delivered', 'exhausted', 'held', 'cancelled'] as const;
export type EventState = (typeof eventStates)[number];

export interface NewOccurrence {
  /** Left out: it gets one when it is recorded. */
  id?: OccurrenceId;
  type: string;
  organizationIds: readonly string[];
  /** As the newest version publishes it; never a secret. */
  data: Readonly<Record<string, unknown>>;
  /** Left out: it happens now. */
  occurredAt?: Date;
}

export interface Occurrence extends NewOccurrence {
  id: OccurrenceId;
  occurredAt: Date;
}

/**
 * Why an endpoint is disabled: its owner wants it, it answered 410, it failed for days, the access of its maker has ended,
 * or an operator wants it.
 */
export type DisabledReason = 'owner' | 'gone' | 'failing' | 'access_ended' | 'operator';

/** The client that made an endpoint, or took it over since, and the user it acted for, if any. */
export interface Maker {
  clientId: string;
  userId: string | null;
}

export interface Endpoint {
  id: EndpointId;
  organizationId: string;
  url: string;
  format: Format;
  /** Kinds, `*`, or all of a resource: `product.*`. */
  events: readonly string[];
  pinnedVersion: ApiVersion;
  description: string | null;
  maxPerSecond: number | null;
  /** Null: it was made before this was noted. */
  madeBy: Maker | null;
  /**
   * Scopes that its maker's client may not have any more: kinds that need them are withheld. Null where no scope was asked for when it
   * was subscribed.
   */
  lostScopes: readonly string[] | null;
  createdAt: Date;
  modifiedAt: Date;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
}

export interface WebhookEvent {
  id: EventId;
  occurrenceId: OccurrenceId;
  endpointId: EndpointId;
  organizationId: string;
  type: string;
  apiVersion: ApiVersion;
  format: Format;
  /** Null while it could not be rendered. */
  payloadSha256: Uint8Array | null;
  createdAt: Date;
  state: EventState;
  attemptCount: number;
  nextAttemptAt: Date | null;
  /** An example that was ordered. */
  isTest: boolean;
}

export interface Attempt {
  id: AttemptId;
  eventId: EventId;
  endpointId: EndpointId;
  organizationId: string;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

/** An attempt with what operators may look at, and lists leave out. */
export interface RecordedAttempt extends Attempt {
  /** Null where nothing was sent, and for attempts from before this was stored. */
  evidence: AttemptEvidence | null;
}

/** The headers, and other evidence, that an attempt sent and got besides the bodies. */
export interface AttemptEvidence {
  sentHeaders: Readonly<Record<string, string>>;
  answerHeaders: Readonly<Record<string, string>> | null;
  stageTimes: StageTimes;
}
