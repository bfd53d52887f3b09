import { readBaseUrl } from './core/base-url.ts';
import { DatelineError } from './core/dateline-error.ts';
import { ApiError, UsageError } from './core/errors.ts';
import { readUnversioned } from './core/read-answer.ts';
import { send } from './core/send.ts';

/** An event of your API. */
export interface NewEvent {
  /** Your own id of the event, unique in its organization: it is published once, however often it is sent. */
  id: string;
  type: string;
  organization_id: string;
  /** As the newest version of your API has it. */
  data: Readonly<Record<string, unknown>>;
  /** When it happened; now, unless said otherwise. */
  occurred_at?: string | undefined;
}

export interface PublishedEvent {
  id: string;
  /** The id that it has in the service; null in a dry run, for what was not published before. */
  occurrence_id: string | null;
  /** It was published before: by an earlier call, by a try of this one whose answer was lost, or earlier in the list. */
  already: boolean;
}

export interface PublishOptions {
  /** Where the service is. */
  url: string | undefined;
  /** An operator key with the role publisher. */
  key: string | undefined;
  /** In the order in which they are to be sent. */
  events: readonly NewEvent[];
  /** Check only, and publish nothing. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** How long one try may take, its answer included. */
  timeoutMs?: number | undefined;
  /** How often a batch is tried again after a broken connection, 429 or 5xx. */
  retries?: number | undefined;
  fetch?: typeof fetch | undefined;
}

/** The service refuses an event: nothing of its batch was published, but batches before it were. */
export class EventRefusedError extends DatelineError {
  override readonly name = 'EventRefusedError';
  /** Its own id, and its place in the list. */
  readonly id: string;
  readonly index: number;

  constructor(message: string, { id, index, cause }: { id: string; index: number; cause: unknown }) {
    super(message, { cause });
    this.id = id;
    this.index = index;
  }
}

const TIMEOUT_MS = 30_000;
const RETRIES = 5;

/** Publishes events, batch after batch, and answers what became of each. Calling it again with the same events is safe. */
export async function publishEvents(options: PublishOptions): Promise<PublishedEvent[]> {
  const publishBatch = createPublisher(options);
  const published: PublishedEvent[] = [];
  for (const batch of batchesOf(options.events)) published.push(...(await publishBatch(batch)));
  return published;
}

function createPublisher(options: PublishOptions) {
  const { key, signal, timeoutMs = TIMEOUT_MS, retries = RETRIES, dryRun = false } = options;
  const baseUrl = readBaseUrl(options.url);
  if (baseUrl === null) throw new UsageError('url has to be the http or https address of the service.');
  // The runtime's own error about such a header would show it.
  if (!key || !/^[\x21-\x7e]+$/.test(key)) throw new UsageError('key has to be an operator key.');
  const url = `${baseUrl}/operator/events`;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  };
  const fetchNow = options.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
  return async ({ start, texts }: Batch): Promise<PublishedEvent[]> => {
    const body = `{"events":[${texts.join(',')}],"dry_run":${dryRun}}`;
    const init = { method: 'POST', headers, body };
    const answer = await send({
      fetch: fetchNow,
      url,
      init,
      timeoutMs,
      retries,
      signal,
      retriesOn: isPassing,
    });
    try {
      return (readUnversioned(answer) as { events: PublishedEvent[] }).events;
    } catch (error) {
      throw refusalOf(error, start, options.events) ?? error;
    }
  };
}

/** It may be over in a moment; and an event that was published nevertheless is not published again. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

interface Batch {
  /** The place of its first event in the list. */
  start: number;
  /** Its events as JSON. */
  texts: string[];
}

const BATCH_MAX = 500;
/** The service takes twice as much. */
const BATCH_BYTES_MAX = 2 ** 21;

function* batchesOf(events: readonly NewEvent[]): Generator<Batch> {
  let [batch, bytes]: [Batch, number] = [{ start: 0, texts: [] }, 0];
  for (const [index, event] of events.entries()) {
    const text = JSON.stringify(event);
    const { length } = new TextEncoder().encode(text);
    const isFull = batch.texts.length === BATCH_MAX || bytes + length > BATCH_BYTES_MAX;
    if (isFull && batch.texts.length > 0) {
      yield batch;
      [batch, bytes] = [{ start: index, texts: [] }, 0];
    }
    batch.texts.push(text);
    bytes += length;
  }
  if (batch.texts.length > 0) yield batch;
}

/** The service counts from the beginning of the batch, the caller from the beginning of the list. */
function refusalOf(cause: unknown, start: number, events: readonly NewEvent[]): EventRefusedError | null {
  if (!(cause instanceof ApiError)) return null;
  const locations = /events\[(\d+)\]/g;
  const message = cause.message.replace(locations, (_all, index) => `events[${start + Number(index)}]`);
  const [, named] = /events\[(\d+)\]/.exec(message) ?? [];
  const event = named === undefined ? undefined : events[Number(named)];
  return event ? new EventRefusedError(message, { id: event.id, index: Number(named), cause }) : null;
}
