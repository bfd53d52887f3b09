import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { InvalidApiError, type PassageWatch } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { problemText } from '../../api/folder/folder-problem.ts';
import { type CheckedFolder, readCheckedFolder } from '../../api/folder/freeze/read-checked-folder.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import { requireShorterCalls } from '../../api/folder/require-shorter-calls.ts';
import { digestOfState, type FolderState, readFolderState } from '../../api/folder/watch/folder-state.ts';
import { StartupError } from '../../errors/startup-error.ts';
import { errorStack } from '../../kernel/error-facts.ts';

/** A folder, and what it held when it was read. */
export interface ReadEdit extends CheckedFolder {
  state: FolderState;
  digest: string;
}

export interface EditReading {
  folder: string;
  /** The folder of the data, which may lie in it. */
  ignored: string;
  requestMs: number;
  watch: PassageWatch;
}

/** Reads a folder as `contract check` does. Throws what that would say. */
export async function readEdit({ folder, ignored, requestMs, watch }: EditReading): Promise<ReadEdit> {
  if (!existsSync(folder))
    throw new StartupError(
      `There is no folder ${folder}; name another one with --api, or make one with "dateline init".`,
    );
  const state = await readFolderState(folder, ignored);
  const digest = await digestOfState(folder, state);
  const checked = await inFolder(folder, async () => {
    const checked = await readCheckedFolder(folder, reserved(), watch);
    requireShorterCalls(checked.read.config, requestMs);
    return checked;
  });
  return { ...checked, state, digest };
}

/** What is wrong with an edit, as text. What nobody has foreseen is told with its place in our code. */
export function problemsIn(error: unknown): string {
  const isTold = error instanceof StartupError || error instanceof InvalidApiError;
  return isTold ? error.message : errorStack(error);
}

export function warningsOf({ warnings }: CheckedFolder): string[] {
  return warnings.map((warning) => `Warning: ${problemText(warning)}`);
}

const LOOK_EVERY_MS = 200;

/** Remembers what a folder holds. Returns a function that waits until that is something else. */
export async function nextEdit({ folder, ignored }: EditReading): Promise<() => Promise<void>> {
  const digestNow = async () => digestOfState(folder, await readFolderState(folder, ignored));
  const digest = await digestNow();
  return async () => {
    do await delay(LOOK_EVERY_MS);
    while ((await digestNow()) === digest);
  };
}
