import { ApiError } from '../../errors/api-error.ts';
import type { Period } from '../../kernel/ids.ts';
import { readTime } from '../app/read-time.ts';
import { optional, Text } from './fields.ts';

/** Query parameters of lists that go back in time. */
export const periodQuery = {
  since: optional(Text, 'From this time on, such as 2027-01-06T17:00:00Z.'),
  until: optional(Text, 'Before this time.'),
};

type Query = Readonly<Record<string, unknown>>;

export function periodIn(query: Query): Period {
  const period = { since: timeIn(query, 'since') ?? null, until: timeIn(query, 'until') ?? null };
  if (period.since && period.until && period.since >= period.until)
    throw new ApiError('validation_failed', { detail: 'since must lie before until.' });
  return period;
}

/** The time in a parameter; undefined if it was not given. */
export function timeIn(query: Query, name: string): Date | undefined {
  if (query[name] === undefined) return undefined;
  const time = readTime(query[name]);
  if (time) return time;
  throw new ApiError('validation_failed', {
    detail: `${name} must be a time, such as 2027-01-06T17:00:00Z.`,
  });
}
