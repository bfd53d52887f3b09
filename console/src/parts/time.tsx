const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
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
const shortOf = (at: string): string => SHORT.format(new Date(at)).replace(/\s(?=\S+$)/, '\u00a0');

/** A time as it is here; in UTC for whoever points at it. */
export function Time({ at, none = '—' }: { at: string | null | undefined; none?: string }) {
  if (!at) return <>{none}</>;
  return (
    <time dateTime={at} title={`${at} (UTC), ${fromNow(at)}`}>
      {shortOf(at)}
    </time>
  );
}
