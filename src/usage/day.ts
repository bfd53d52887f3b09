/** A calendar day in UTC, `YYYY-MM-DD`. */
export type Day = string & { readonly __kind: 'day' };

export const DAY_MS = 24 * 60 * 60 * 1000;

export function dayOf(instant: Date): Day {
  return instant.toISOString().slice(0, 10) as Day;
}

/** A text that is a day, as its schema has checked. */
export function readDay(text: string): Day {
  return text as Day;
}

export function daysBefore(day: Day, count: number): Day {
  return dayOf(new Date(Date.parse(day) - count * DAY_MS));
}

/** The first of so many consecutive days that end with this one. */
export function firstOfDays(count: number, last: Day): Day {
  return daysBefore(last, count - 1);
}
