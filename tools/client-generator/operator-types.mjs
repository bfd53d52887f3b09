import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Written by `npm run client` from /operator/openapi.json. Do not edit.\n\n';

/**
 * The types of the operator API.
 * @param {object} document
 * @returns {Promise<string>}
 */
export async function operatorTypes(document) {
  return HEAD + astToString(await openapiTS(structuredClone(document), { alphabetize: true }));
}
