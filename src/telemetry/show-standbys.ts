import { Counter, Gauge, type Registry } from 'prom-client';
import type { WaitCounts } from '../standbys/readers-wait.ts';
import type { StandbyLink } from '../standbys/standby-link.ts';
import type { StandbyReads } from '../standbys/standby-reads.ts';

type ShownLink = Pick<StandbyLink, 'name' | 'counts' | 'state'>;

export interface ShownStandbys extends Pick<StandbyReads, 'counts'> {
  readonly links: readonly ShownLink[];
}

/** Shows what this node reads from standbys. */
export function showStandbys(registry: Registry, { links, counts }: ShownStandbys): void {
  const gauge = (name: string, help: string, value: (link: ShownLink) => number | null): void =>
    void new Gauge({
      name,
      help,
      labelNames: ['standby'],
      registers: [registry],
      collect() {
        this.reset();
        for (const link of links) {
          const shown = value(link);
          if (shown !== null) this.set({ standby: link.name }, shown);
        }
      },
    });
  gauge('dateline_standby_readable', '1 while tokens are read from the standby.', ({ state }) =>
    state().problem === null ? 1 : 0,
  );
  gauge(
    'dateline_standby_lag_seconds',
    'Time until the standby had shown the last renewal; absent while it is not read from.',
    ({ state }) => secondsOf(state().lagMs),
  );
  new Counter({
    name: 'dateline_standby_reads_total',
    help: 'Statements sent to a standby: used, late (its lease ran out, or it took too long), or failed.',
    labelNames: ['standby', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, counts } of links)
        for (const [outcome, count] of Object.entries(counts)) this.inc({ standby: name, outcome }, count);
    },
  });
  new Counter({
    name: 'dateline_standby_fallbacks_total',
    help: 'Look-ups that went to the primary: unread (no standby had answered), or confirmed (a standby would have refused).',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(counts)) this.inc({ reason }, count);
    },
  });
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** Shows how ends of access have waited for nodes that read from standbys. */
export function showWaits(registry: Registry, counts: Readonly<WaitCounts>): void {
  new Counter({
    name: 'dateline_readers_waits_total',
    help: 'Waits for nodes that read from standbys, before an end of access was answered; those that came together are one.',
    labelNames: ['ended_by'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ ended_by: 'readers' }, counts.waits - counts.timedOut);
      this.inc({ ended_by: 'time' }, counts.timedOut);
    },
  });
  new Counter({
    name: 'dateline_readers_wait_seconds_total',
    help: 'The time of those waits.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.waitedMs / 1000);
    },
  });
}
