import type { CommandInput, CommandOption } from '../command.ts';
import { usageError } from '../command-error.ts';

/** The value of an option that is a time, as the service reads it. */
export function timeOption({ optional }: CommandInput, option: string): string | undefined {
  const text = optional(option);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw usageError(`--${option} must be a time, such as 2027-01-06T17:00:00Z.`);
}

/** The options of a list that goes back in time. */
export const period: Readonly<Record<'since' | 'until', CommandOption>> = {
  since: { placeholder: 'time', description: 'From this time on, such as 2027-01-06T17:00:00Z' },
  until: { placeholder: 'time', description: 'Before this time' },
};

/** Adds the period that was given to the query of a list. */
export function addPeriod(input: CommandInput, query: URLSearchParams): URLSearchParams {
  for (const option of ['since', 'until']) {
    const time = timeOption(input, option);
    if (time !== undefined) query.set(option, time);
  }
  return query;
}
