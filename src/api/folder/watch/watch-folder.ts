import { repeat } from '../../../kernel/repeat.ts';
import { digestOfState, type FolderState, isSameState, readFolderState } from './folder-state.ts';

export interface FolderEdit {
  /** Of what the folder holds now. */
  digest: string;
  /** False as soon as somebody has written to the folder again: the next edit is on its way. */
  isNewest(): Promise<boolean>;
}

export interface WatchOptions {
  folder: string;
  /** The folder of the data, which may lie in it. */
  ignored: string;
  /** What the folder held when it was read for the first time. */
  begin: { state: FolderState; digest: string };
  /** Called for one edit after the other; what is written meanwhile is the next one. False: it was left, and comes again. */
  onEdit(edit: FolderEdit): Promise<boolean>;
  onError(error: unknown): void;
}

const NOTHING = { state: new Map<string, string>(), digest: '' };

const LOOK_EVERY_MS = 100;
/** Of the time between two looks that a look may take. */
const SHARE = 0.02;

/**
 * Looks at a folder again and again: that sees every way of writing, in every file system, which notices of the system do not. An edit
 * counts once two looks have found the same, so that nothing is read while it is written. Returns a function that stops it.
 */
export function watchFolder({ folder, ignored, begin, onEdit, onError }: WatchOptions): () => Promise<void> {
  let known = begin;
  let last = begin.state;
  let tookMs = 0;

  async function look(): Promise<void> {
    const beganAtMs = performance.now();
    const state = await readFolderState(folder, ignored);
    tookMs = performance.now() - beganAtMs;
    const isStill = isSameState(state, last);
    last = state;
    if (!isStill || isSameState(state, known.state)) return;
    const digest = await digestOfState(folder, state);
    const isOther = digest !== known.digest;
    known = { state, digest };
    const isNewest = async () => isSameState(state, await readFolderState(folder, ignored));
    // Whoever has left it for the next one wants that also where only a time was written.
    if (isOther && !(await onEdit({ digest, isNewest }))) known = NOTHING;
  }

  return repeat(look, { everyMs: () => Math.max(LOOK_EVERY_MS, tookMs / SHARE), onError });
}
