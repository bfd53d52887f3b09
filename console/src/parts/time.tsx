import { signal } from '@preact/signals';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const MINUTE = { ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
const SHORT = new Intl.DateTimeFormat(undefined, MINUTE);
const EXACT = new Intl.DateTimeFormat(undefined, { ...MINUTE, second: '2-digit' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "3 hours ago", "in 2 days". */
export function fromNow(at: string, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000);
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}

/** Where there is no room for all of it, it is broken between day and hour. */
function wrapped(text: string): string {
  const hour = text.lastIndexOf(', ') + 2;
  return hour < 2 ? text : text.slice(0, hour) + text.slice(hour).replaceAll(' ', '\u00a0');
}

/** Whether all times show their seconds, and UTC. */
const isExact = signal(false);

const toggle = (): void => {
  isExact.value = !isExact.value;
};

/** A time as it is here, with its zone; with seconds and in UTC for whoever points at it, or clicks. */
export function Time({ at, none = '—' }: { at: string | null | undefined; none?: string }) {
  if (!at) return <>{none}</>;
  const time = new Date(at);
  const utc = `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the frame does the same for all times.
    <time dateTime={at} title={`${EXACT.format(time)} · ${utc} · ${fromNow(at)}`} onClick={toggle}>
      {wrapped(isExact.value ? EXACT.format(time) : SHORT.format(time))}
      {isExact.value && <span class="utc">{utc}</span>}
    </time>
  );
}

/** For the keyboard, and for whoever does not know that times can be clicked. */
export function ExactTimes() {
  return (
    <button type="button" class="quiet" aria-pressed={isExact.value} onClick={toggle}>
      Seconds and UTC
    </button>
  );
}
