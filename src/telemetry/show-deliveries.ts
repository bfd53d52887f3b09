import { Gauge, type Registry } from 'prom-client';
import type { DeliveryFigures } from '../doctor/delivery-condition.ts';
import { atMost } from '../kernel/wait.ts';

/** A scrape does not wait longer for the database: the other numbers are wanted then above all. */
const READ_LIMIT_MS = 1_000;

interface Shown {
  name: string;
  help: string;
  value(figures: DeliveryFigures): number;
}

const shown: readonly Shown[] = [
  {
    name: 'dateline_events_due',
    help: 'Webhook events that are due and may be sent; 10,000 at most.',
    value: ({ eventsDue }) => eventsDue,
  },
  {
    name: 'dateline_events_oldest_due_seconds',
    help: 'Time since the oldest of them was due; 0 if there is none.',
    value: ({ oldestDueSeconds }) => oldestDueSeconds,
  },
  {
    name: 'dateline_events_oldest_untaken_seconds',
    help: 'Time for which a worker could have taken a due event, and none has; 0 if there is none.',
    value: ({ oldestUntakenSeconds }) => oldestUntakenSeconds,
  },
  {
    name: 'dateline_workers_other_build',
    help: 'Live processes of dateline worker that run what no serving node runs.',
    value: ({ workersOtherBuild }) => workersOtherBuild,
  },
];

/** Every process shows the same, of all of them: the gauges must not be added up. While nothing can be read, they are absent. */
export function showDeliveries(registry: Registry, read: () => Promise<DeliveryFigures>): void {
  for (const { name, help, value } of shown)
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.remove();
        const figures = await readInTime(read);
        if (figures) this.set(value(figures));
      },
    });
  new Gauge({
    name: 'dateline_workers',
    help: 'Processes that deliver webhooks: live ones, and those that are gone without a word for less than an hour.',
    labelNames: ['state'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      this.reset();
      const figures = await readInTime(read);
      if (!figures) return;
      this.set({ state: 'live' }, figures.workersLive);
      this.set({ state: 'gone' }, figures.workersGone);
    },
  });
}

async function readInTime(read: () => Promise<DeliveryFigures>): Promise<DeliveryFigures | null> {
  let figures: DeliveryFigures | null = null;
  const reading = read().then(
    (found) => {
      figures = found;
    },
    () => {},
  );
  await atMost(READ_LIMIT_MS, reading);
  return figures;
}
