import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CONTRACT_FOLDER } from '../folder-files.ts';

/** The files of a folder that decide what is served, each with what tells that it was written again; by path. */
export type FolderState = ReadonlyMap<string, string>;

/** `ignored` is a folder that may lie in it and is written to while it is served: that of the data. Empty where there is no folder. */
export async function readFolderState(folder: string, ignored: string): Promise<FolderState> {
  const found = await filesBelow('', { root: resolve(folder), ignored: resolve(ignored) }, 0);
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function isSameState(one: FolderState, other: FolderState): boolean {
  return one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark);
}

/** Of what the files hold: saving one again without an edit changes nothing. */
export async function digestOfState(folder: string, state: FolderState): Promise<string> {
  const digest = createHash('sha256');
  for (const path of state.keys()) {
    const bytes = await readFile(join(folder, path)).catch(() => null);
    digest.update(JSON.stringify([path, bytes?.length ?? null]));
    if (bytes) digest.update(bytes);
  }
  return digest.digest('hex');
}

interface WalkedFolder {
  root: string;
  ignored: string;
}

/** Deeper than anybody writes: a link may lead back to where it is. */
const DEPTH_MAX = 16;

async function filesBelow(below: string, walked: WalkedFolder, depth: number): Promise<[string, string][]> {
  const names = await readdir(join(walked.root, below)).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => !isIgnored(name)).map((name) => filesAt(join(below, name), walked, depth)),
  );
  return found.flat();
}

async function filesAt(path: string, walked: WalkedFolder, depth: number): Promise<[string, string][]> {
  const whole = join(walked.root, path);
  if (whole === walked.ignored) return [];
  // An editor may have renamed it meanwhile.
  const facts = await stat(whole, { bigint: true }).catch(() => null);
  if (facts?.isDirectory()) return depth < DEPTH_MAX ? filesBelow(path, walked, depth + 1) : [];
  if (!facts?.isFile() || !decides(path)) return [];
  // One that is written by renaming may keep its time, and has another inode.
  return [[path, [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join()]];
}

/** Git and editors keep their own things in the first, packages are installed into the second. */
function isIgnored(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name.endsWith('~');
}

/** Contracts and changes in any form, and modules and pictures beside them. A server in the folder may write what it likes. */
function decides(path: string): boolean {
  return path.startsWith(`${CONTRACT_FOLDER}/`) || /\.(?:[cm]?[jt]s|svg|png|jpe?g|webp)$/.test(path);
}
