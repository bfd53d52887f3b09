import { type Operation, parametersIn } from '@dateline/versions';
import type { ApiGeneration } from '../../compose/dev/api-generation.ts';

/** A line to paste that calls the folder's API: something that can be read without knowing an id. The shell reads the token from the file. */
export function firstCall(
  { build, life }: Pick<ApiGeneration, 'build' | 'life'>,
  { url, path }: { url: string; path: string | null },
): string {
  const version = life.versions.current();
  const operations = build.folder?.api.get(version)?.operations.values() ?? [];
  const found = [...operations].map(({ operation }) => operation).find(needsNothing);
  if (!found) return `curl -s ${url}/versions/${version}/openapi.json`;
  if (found.security.scheme !== 'bearer') return `curl -s ${url}${found.path}`;
  const token = path === null ? 'YOUR_TOKEN' : `$(node -p 'require("${path}").sandbox.access_token')`;
  return `curl -s ${url}${found.path} -H "Authorization: Bearer ${token}"`;
}

function needsNothing({ method, path, query, headers }: Operation): boolean {
  const isFree = (schema: Operation['query'] | undefined): boolean =>
    !Array.isArray(schema?.required) || schema.required.length === 0;
  return method === 'GET' && parametersIn(path).length === 0 && isFree(query) && isFree(headers);
}
