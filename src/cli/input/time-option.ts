import type { CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';

/** The value of an option that is a time, as the service reads it. */
export function timeOption({ optional }: CommandInput, option: string): string | undefined {
  const text = optional(option);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw usageError(`--${option} must be a time, such as 2027-01-06T17:00:00Z.`);
}
