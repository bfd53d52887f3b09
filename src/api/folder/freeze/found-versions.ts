import { type ApiVersion, apiVersion, type OpenApiDocument } from '@dateline/versions';
import { partIn } from '../../document/parts.ts';
import { readConfigFile } from '../config-file.ts';
import { createFolderReader, type FolderReader } from '../folder-contract.ts';
import { FROZEN_FOLDER } from '../folder-files.ts';
import { refuse } from '../folder-problem.ts';
import { readNextDocument } from '../read-contract-files.ts';
import { readFolderSource } from '../read-folder-source.ts';
import { recordFolderTape } from './folder-tape.ts';
import { type FrozenLocation, readFrozenFiles, writeContract, writeTape } from './frozen-files.ts';

/**
 * Writes the first frozen versions as Next is now. Only before the first release: nobody has relied on them yet.
 */
export async function foundVersions(folder: string, versions: readonly ApiVersion[]): Promise<void> {
  const location = { root: folder, folder: FROZEN_FOLDER };
  const reader = createFolderReader(await readConfigFile(folder));
  const document = await readNextDocument(folder, reader);
  for (const version of versions) writeContract(location, version, asVersion(document, version));
  await recordTapes(location, versions, reader);
}

export async function foundAgain(folder: string): Promise<readonly ApiVersion[]> {
  const { lock } = readFrozenFiles({ root: folder, folder: FROZEN_FOLDER });
  if (!lock.founding)
    throw refuse(
      FROZEN_FOLDER,
      'these versions were released, so they never change; write a change module instead',
    );
  const versions = Object.keys(lock.sha256).sort().map(apiVersion);
  await foundVersions(folder, versions);
  return versions;
}

export function asVersion(document: OpenApiDocument, version: ApiVersion): OpenApiDocument {
  return { ...document, info: { ...partIn(document, 'info'), version } };
}

async function recordTapes(
  location: FrozenLocation,
  versions: readonly ApiVersion[],
  reader: FolderReader,
): Promise<void> {
  const source = await readFolderSource(location.root, readFrozenFiles(location), reader);
  for (const version of versions) writeTape(location, recordFolderTape(source, version));
}
