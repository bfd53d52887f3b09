import { type ApiVersion, apiVersion, type OpenApiDocument } from '@dateline/versions';
import { partIn } from '../../document/parts.ts';
import { readConfigFile } from '../config-file.ts';
import { withErrors } from '../errors/error-tape.ts';
import { differenceProblems } from '../examine-folder.ts';
import { createFolderReader } from '../folder-contract.ts';
import { FROZEN_FOLDER } from '../folder-files.ts';
import { FolderError, refuse } from '../folder-problem.ts';
import { bundleNext } from '../read-contract-files.ts';
import { readFolderSource } from '../read-folder-source.ts';
import { refreshTypes } from '../types/type-files.ts';
import { recordFolderTape } from './folder-tape.ts';
import { readLock, writeContract, writeTape } from './frozen-files.ts';

/**
 * Writes the first frozen versions as Next is now. Only before the first release: nobody has relied on them yet. Nothing is written
 * where they could not be served.
 */
export async function foundVersions(folder: string, versions: readonly ApiVersion[]): Promise<void> {
  const location = { root: folder, folder: FROZEN_FOLDER };
  const reader = createFolderReader(await readConfigFile(folder));
  const { document } = await bundleNext(folder);
  const lock = readLock(location);
  const documents = Object.fromEntries(versions.map((version) => [version, asVersion(document, version)]));
  const source = await readFolderSource(folder, { lock, documents, tapes: {} }, reader);
  const problems = differenceProblems(source, { lock: { sha256: {} } });
  if (problems.length > 0) throw new FolderError(problems);
  const tapes = await Promise.all(
    versions.map((version) => withErrors(recordFolderTape(source, version), folder, source)),
  );
  for (const version of versions) writeContract(location, version, asVersion(document, version));
  for (const tape of tapes) writeTape(location, tape);
}

export async function foundAgain(folder: string): Promise<readonly ApiVersion[]> {
  const lock = readLock({ root: folder, folder: FROZEN_FOLDER });
  if (!lock.founding)
    throw refuse(
      FROZEN_FOLDER,
      'these versions were released, so they never change; write a change module instead',
    );
  const versions = Object.keys(lock.sha256).sort().map(apiVersion);
  await foundVersions(folder, versions);
  await refreshTypes(folder);
  return versions;
}

export function asVersion(document: OpenApiDocument, version: ApiVersion): OpenApiDocument {
  return { ...document, info: { ...partIn(document, 'info'), version } };
}
