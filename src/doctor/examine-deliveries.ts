import { type DeliveryCondition, secondsSince } from './delivery-condition.ts';
import type { Finding } from './finding.ts';
import type { SeenNode } from './node-signs.ts';

/** Workers look four times a second: an event that waits longer for one that has left no sign waits for nobody. */
const UNTAKEN_SECONDS_MAX = 5;
/** With live workers it may wait for its turn. */
const TURN_SECONDS_MAX = 60;

/** Whether webhooks are delivered, and by which processes. */
export function examineDeliveries(condition: DeliveryCondition): Finding[] {
  return [deliveries(condition), nodes(condition)];
}

function deliveries({ now, backlog, delivering }: DeliveryCondition): Finding {
  const { due, oldestDueAt, oldestUntakenAt } = backlog;
  const check = 'deliveries';
  const untakenSeconds = secondsSince(oldestUntakenAt, now);
  const waiting = `${counted(due, 'event')} ${due === 1 ? 'is' : 'are'} due, the oldest since ${oldestDueAt?.toISOString()}`;
  if (delivering.length === 0 && untakenSeconds > UNTAKEN_SECONDS_MAX)
    return {
      check,
      state: 'problem',
      message: `${waiting}, and nobody delivers: no process that delivers webhooks has left a sign lately; ${START}.`,
    };
  if (delivering.length === 0)
    return {
      check,
      state: 'warning',
      message: `No process that delivers webhooks has left a sign lately; ${START}.`,
    };
  const workers = counted(delivering.length, 'process', 'processes');
  if (untakenSeconds > TURN_SECONDS_MAX)
    return {
      check,
      state: 'problem',
      message: `${waiting}, and ${workers} that should deliver took none of the oldest for ${Math.round(untakenSeconds)} s; read the log for "deliveries interrupted", and restart them or start more.`,
    };
  const isQuiet = due === 0 ? 'nothing is due' : `${counted(due, 'event')} due`;
  return {
    check,
    state: 'ok',
    message: `${workers} deliver${delivering.length === 1 ? 's' : ''} webhooks; ${isQuiet}.`,
  };
}

const START = 'start "dateline worker", or serve with DATELINE_DELIVER=on';

function nodes({ missing, otherBuild }: DeliveryCondition): Finding {
  const check = 'nodes';
  const said = [
    ...(missing.length > 0
      ? [
          `${named(missing)} left no sign since ${missing[0]?.seenAt.toISOString()}, and did not say that ${missing.length === 1 ? 'it stops' : 'they stop'}: killed, frozen, or without the database; look at the process, and start it again`,
        ]
      : []),
    ...(otherBuild.length > 0
      ? [
          `${named(otherBuild)} run${otherBuild.length === 1 ? 's' : ''} another build than the nodes that serve; deploy the same build and API folder to all ("dateline node list" shows them)`,
        ]
      : []),
  ];
  if (said.length > 0) return { check, state: 'warning', message: `${said.join('. ')}.` };
  return { check, state: 'ok', message: 'No process is missing, and all workers run what is served.' };
}

const NAMED_MAX = 3;

function named(found: readonly SeenNode[]): string {
  const shown = found.slice(0, NAMED_MAX).map(({ kind, name }) => `${kind} "${name}"`);
  const more = found.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
