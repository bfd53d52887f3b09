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

/** A stretch of days, both ends included. */
export interface Days {
  from: Day;
  to: Day;
}

/** The whole weeks in a stretch of days. */
export interface WholeWeeks {
  /** The Monday that they begin with. */
  first: Day;
  /** The Monday after them. */
  end: Day;
}

/** Where there is none, they begin and end with the first day. */
export function wholeWeeks({ from, to }: Days): WholeWeeks {
  const first = mondayFrom(from);
  // The last Monday that is not after the day that follows.
  const end = mondayFrom(daysBefore(to, 5));
  return first < end ? { first, end } : { first: from, end: from };
}

/** The first Monday that is not before a day. */
export function mondayFrom(day: Day): Day {
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return daysBefore(day, -((7 - daysSinceMonday) % 7));
}
