// All that is generated of the client: from the contracts of its versions, and nothing else.

import { packageManifest } from './package-manifest.mjs';
import { printTypes, shareTypes } from './print-types.mjs';
import { readContract } from './read-contract.mjs';
import { errorFiles } from './write-errors.mjs';
import { withCalls } from './write-readme.mjs';
import { removedFiles } from './write-removed.mjs';
import { followingFiles, sharedTypesFile, versionFiles } from './write-version.mjs';

/**
 * @param {object} input
 * @param {object[]} input.documents the OpenAPI documents of the versions that have a client, oldest first
 * @param {(operationId: string) => string | null} input.callOf the method of the client that an operation is called by
 * @param {string} input.following the version after them, which starts with the contract of the last
 * @param {string} input.removed the version before them, whose imports say where to go
 * @param {string} input.recommended the one that they name
 * @param {string[]} input.codes the error codes that no operation in particular answers with
 * @param {object} input.manifest package.json as it stands
 * @param {string} input.readme README.md as it stands
 * @returns {Promise<Map<string, string>>} texts by path within client/
 */
export async function clientFiles({ documents, callOf, following, removed, ...rest }) {
  const { recommended, codes, manifest, readme } = rest;
  const contracts = documents.map((document) => readContract(document, callOf));
  const types = new Map();
  for (const { version, schemas } of contracts) types.set(version, await printTypes(schemas));
  const shared = shareTypes(types);
  const versions = contracts.map(({ version }) => version);
  return new Map([
    ['src/shared/types.ts', sharedTypesFile(shared, types)],
    ...errorFiles([...codes, ...contracts.flatMap((one) => one.codes)]),
    ...contracts.flatMap((contract) => versionFiles(contract, types.get(contract.version), shared)),
    ...followingFiles(contracts.at(-1), following),
    ...removedFiles({ removed, recommended, versions }),
    ['package.json', packageManifest(manifest, { versions: [...versions, following], removed })],
    ['README.md', withCalls(readme, contracts)],
  ]);
}

/** Which files below src/ are generated: those of other versions are to be deleted. */
export function isGenerated(path) {
  return /^src\/(shared|20\d\d-\d\d)\//.test(path);
}
