import { createHash } from 'node:crypto';
import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Written by `npm run client` from /operator/openapi.json. Do not edit.\n';

/**
 * The types of the operator API.
 * @param {object} document
 * @returns {Promise<string>}
 */
export async function operatorTypes(document) {
  const types = astToString(await openapiTS(structuredClone(document), { alphabetize: true }));
  return `${HEAD}${hashLine(document)}\n\n${types}`;
}

/**
 * Says which document the types were made of: it shows without making them anew that they are old.
 * @param {object} document
 */
export function hashLine(document) {
  return `// sha256 of the document: ${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}
