import type { CommandInput, CommandOption } from '../command.ts';
import { usageError } from '../command-error.ts';

const DEFAULT_SECONDS = 60;
const SECONDS_MAX = 3_600;

/** For commands that need the database to start. */
export const waitOption: Readonly<Record<'wait', CommandOption>> = {
  wait: {
    placeholder: 'seconds',
    description: `How long to wait for a database server that refuses connections or is starting (default ${DEFAULT_SECONDS})`,
  },
};

export function waitMsOf({ optional }: Pick<CommandInput, 'optional'>): number {
  const seconds = Number(optional('wait') ?? DEFAULT_SECONDS);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > SECONDS_MAX)
    throw usageError(`--wait must be a whole number of seconds from 0 to ${SECONDS_MAX}.`);
  return seconds * 1_000;
}
