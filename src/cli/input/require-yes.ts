import { usageError } from '../command-error.ts';

export const yes = { description: 'Do it; without this nothing is deleted' } as const;

/** A prompt would not work in scripts. */
export function requireYes(isGiven: boolean, what: string): void {
  if (!isGiven) throw usageError(`Deleting this ${what} cannot be undone; add --yes to do it.`);
}
