import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '../environments/environment.ts';
import { errorCode } from '../kernel/error-facts.ts';
import { makeDataFolder } from '../storage/data-folder.ts';

/** The last sighting that a node has written into an environment's database. */
export interface Sighting {
  number: number;
  seenAt: string;
}

/** The node's own record in its data folder, apart from the databases. */
export interface Sightings {
  nodeId: string;
  sightings: Partial<Record<EnvironmentName, Sighting>>;
}

export function sightingPath(dataDir: string): string {
  return join(dataDir, 'last-seen.json');
}

/** Makes the file at the first call; of several that do so at once, one wins. */
export function openSightings(dataDir: string): Sightings {
  return readSightings(dataDir) ?? makeSightings(dataDir);
}

/** The id of a data folder; null where the folder cannot be written. */
export function folderIdIn(dataDir: string): string | null {
  try {
    return openSightings(dataDir).nodeId;
  } catch {
    return null;
  }
}

/** Null where there is none, or none that can be read. */
function readSightings(dataDir: string): Sightings | null {
  try {
    const read: Partial<Sightings> = JSON.parse(readFileSync(sightingPath(dataDir), 'utf8'));
    return typeof read.nodeId === 'string' ? { nodeId: read.nodeId, sightings: read.sightings ?? {} } : null;
  } catch {
    return null;
  }
}

function makeSightings(dataDir: string): Sightings {
  const made = { nodeId: randomUUID(), sightings: {} };
  const draft = writeDraft(dataDir, made);
  try {
    linkSync(draft, sightingPath(dataDir));
  } catch (error) {
    const others = readSightings(dataDir);
    if (errorCode(error) === 'EEXIST' && others) return others;
    writeSightings(dataDir, made);
  } finally {
    rmSync(draft, { force: true });
  }
  return made;
}

/** Replaced atomically: a reader sees the old file or the new one. */
export function writeSightings(dataDir: string, sightings: Sightings): void {
  renameSync(writeDraft(dataDir, sightings), sightingPath(dataDir));
}

/**
 * Makes the next look of each environment notice that the database was restored at this time. The file may be missing, or
 * may have been restored with the database: then it could not know.
 */
export function noteLoss(dataDir: string, at: Date): void {
  // A node that the database does not know has written into it: so it lacks something.
  const lost = { number: 1, seenAt: at.toISOString() };
  writeSightings(dataDir, { nodeId: randomUUID(), sightings: { production: lost, sandbox: lost } });
}

function writeDraft(dataDir: string, sightings: Sightings): string {
  makeDataFolder(dataDir);
  const draft = `${sightingPath(dataDir)}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(sightings)}\n`, { mode: 0o600 });
  return draft;
}
