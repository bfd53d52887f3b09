import { createHash } from 'node:crypto';
import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { currentSpan, type Span } from '../../tracing/span.ts';
import { renderPayload } from '../publishing/render-payload.ts';
import type { ErrorClass, Outcome } from '../sending/outcome.ts';
import { nextAttemptAt, waitAskedMs } from '../sending/retry-schedule.ts';
import type { Sender } from '../sending/sender.ts';
import { signatureHeader } from '../sending/sign-delivery.ts';
import { attemptIdPrefix } from '../types.ts';
import { type DueEvent, findOccurrence, type Result, type SealedSecret, storeRendered } from './store.ts';

export interface AttemptParts {
  context: Context;
  openSecret(secret: SealedSecret): string;
  sender: Sender;
  /** The headers that announce the end of a version; empty where nothing is planned. */
  deprecationOf(version: ApiVersion): readonly (readonly [string, string])[];
  /** An event that this build cannot render: an operator has to act. */
  onUnrendered(event: DueEvent, error: unknown): void;
}

/** The result of an attempt that was made. */
export interface Attempted {
  result: Result;
  /** The receiver says that it wants nothing ever again. */
  gone: boolean;
  /** The time for which the receiver wants to be left alone; 0 if it asks for nothing. */
  pauseMs: number;
}

/** Sends an event once. Null if the attempt was stopped before an answer came: then it is as if it had not been made. */
export async function attempt(parts: AttemptParts, event: DueEvent): Promise<Attempted | null> {
  const { context } = parts;
  const startedAt = context.clock.now();
  // Made now, so that attempts sort in the order in which they began.
  const id = newId<'webhook attempt'>(attemptIdPrefix, startedAt);
  const { sentHeaders, outcome } = await sendOnce(parts, event, startedAt);
  if (outcome.error === 'stopped') return null;
  const { status, durationMs, error, answerText: answer, answerHeaders, stageTimes } = outcome;
  const { id: eventId, endpointId, organizationId } = event;
  const now = context.clock.now();
  return {
    result: {
      attempt: {
        id,
        eventId,
        endpointId,
        organizationId,
        startedAt,
        durationMs,
        status,
        error,
        answer,
        evidence: sentHeaders && { sentHeaders, answerHeaders, stageTimes },
      },
      ...afterwards(event, outcome, now),
      triesBefore: event.tries,
    },
    gone: status === GONE,
    pauseMs: isBusy(status) ? waitAskedMs(outcome.retryAfter, now) || BUSY_PAUSE_MS : 0,
  };
}

const GONE = 410;
const TOO_MANY_REQUESTS = 429;
/** For a receiver that has too much to do and does not say for how long. */
const BUSY_PAUSE_MS = 10_000;

const isBusy = (status: number | null): boolean => status === TOO_MANY_REQUESTS;

type EventOutcome = Omit<Outcome, 'error'> & { error: EventErrorClass | null };
/** Besides the errors of sending: there is no payload to send. */
export type EventErrorClass = ErrorClass | 'payload_expired' | 'not_rendered';

const NOT_SENT = {
  status: null,
  durationMs: 0,
  answerText: null,
  retryAfter: null,
  answerHeaders: null,
  stageTimes: {},
};

interface SentOnce {
  /** Null where there was nothing to send. */
  sentHeaders: Readonly<Record<string, string>> | null;
  outcome: EventOutcome;
}

async function sendOnce(parts: AttemptParts, event: DueEvent, startedAt: Date): Promise<SentOnce> {
  if (!event.kept) return notSent('payload_expired');
  // Without a pause where there is nothing to wait for: first attempts start in the order of their events.
  const body = event.body ? asBuffer(event.body) : await renderAgain(parts, event);
  if (body === null) return notSent('not_rendered');
  const sentHeaders = headersOf(parts, event, { body, startedAt });
  const { url, selfRegistered } = event;
  const delivery = { url, headers: sentHeaders, body, publicOnly: selfRegistered };
  return { sentHeaders, outcome: await parts.sender.send(delivery) };
}

/** Not a copy: one of the databases answers with buffers already. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function notSent(error: EventErrorClass): SentOnce {
  return { sentHeaders: null, outcome: { ...NOT_SENT, error } };
}

/** The headers of the Standard Webhooks specification, and the version that the body is in. */
function headersOf(
  { openSecret, deprecationOf }: AttemptParts,
  event: DueEvent,
  { body, startedAt }: { body: Buffer; startedAt: Date },
): Record<string, string> {
  const { id, apiVersion } = event;
  const timestampSeconds = Math.floor(startedAt.getTime() / 1000);
  const secrets = event.secrets.map(openSecret);
  return {
    'content-type': 'application/json',
    'user-agent': 'Dateline-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ secrets, id, timestampSeconds, body }),
    'webhook-api-version': apiVersion,
    ...tracedBy(currentSpan()),
    ...Object.fromEntries(deprecationOf(apiVersion).filter(([name]) => name !== 'link')),
  };
}

function tracedBy(span: Span | undefined): Record<string, string> {
  return span ? { traceparent: span.traceparent } : {};
}

/** A newer build may be able to render it. Its payload is then stored for good. */
async function renderAgain({ context, onUnrendered }: AttemptParts, event: DueEvent): Promise<Buffer | null> {
  const occurrence = await findOccurrence(context.session, event.occurrenceId);
  try {
    if (!occurrence) throw new Error('what happened is no longer known');
    const body = renderPayload(context, occurrence, event);
    await storeRendered(context.session, event, { body, sha256: createHash('sha256').update(body).digest() });
    return body;
  } catch (error) {
    onUnrendered(event, error);
    return null;
  }
}

/** The next state of the event. */
function afterwards(
  { tries }: DueEvent,
  { error, retryAfter }: EventOutcome,
  now: Date,
): Pick<Result, 'state' | 'nextAttemptAt'> {
  if (error === null) return { state: 'delivered', nextAttemptAt: null };
  if (error === 'payload_expired') return { state: 'exhausted', nextAttemptAt: null };
  const next = nextAttemptAt({ attemptCount: tries + 1, now, retryAfter, random: Math.random });
  return { state: next === null ? 'exhausted' : 'pending', nextAttemptAt: next };
}
