import { DatelineError } from '../../../client/src/index.ts';
import { type NewEvent, type PublishedEvent, publishEvents } from '../../../client/src/publish.ts';

export interface PublishPlan {
  /** The nodes, in turn. */
  urls: readonly string[];
  key: string;
  events: readonly NewEvent[];
  /** Each of them publishes all events, in an order of its own. */
  publishers: number;
  atOnce: number;
  /** Called while a batch is on its way: before, at or after its commit. */
  disturb(callCount: number): void;
}

export interface PublishReport {
  /** The occurrences that publishers were told of, by the id of the event. */
  told: ReadonlyMap<string, ReadonlySet<string | null>>;
  calls: number;
}

/** Publishers that send the same events at the same time, and go on until all are answered. */
export async function publishThroughFailures(plan: PublishPlan): Promise<PublishReport> {
  const told = new Map<string, Set<string | null>>();
  let calls = 0;
  const disturbed: typeof fetch = (url, init) => {
    const answer = fetch(url, init);
    calls += 1;
    plan.disturb(calls);
    return answer;
  };
  const listen = ({ id, occurrence_id }: PublishedEvent) =>
    told.set(id, (told.get(id) ?? new Set()).add(occurrence_id));
  async function publisher(number: number): Promise<void> {
    for (const some of batchesFor(number, plan))
      for (const event of await untilAnswered(plan, some, disturbed)) listen(event);
  }
  await Promise.all(Array.from({ length: plan.publishers }, (_, number) => publisher(number)));
  return { told, calls };
}

/** One forwards, one backwards, and the same batches cut at other places. */
function batchesFor(number: number, { events, atOnce }: PublishPlan): NewEvent[][] {
  const ordered = number % 2 === 0 ? [...events] : events.toReversed();
  const first = ordered.slice(0, number);
  const batches = first.length > 0 ? [first] : [];
  for (let start = number; start < ordered.length; start += atOnce)
    batches.push(ordered.slice(start, start + atOnce));
  return batches;
}

const CALLS_MAX = 50;

async function untilAnswered(
  { urls, key }: PublishPlan,
  events: readonly NewEvent[],
  disturbed: typeof fetch,
): Promise<PublishedEvent[]> {
  for (let call = 0; ; call += 1) {
    const url = urls[call % urls.length];
    try {
      return await publishEvents({ url, key, events, fetch: disturbed });
    } catch (error) {
      if (call === CALLS_MAX || !(error instanceof DatelineError)) throw error;
    }
  }
}
