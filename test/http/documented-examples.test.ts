import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ServedOperation } from '../support/contracts/served-documents.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { maintained } from '../support/service/build-versions.ts';
import { callEveryOperation, type DocumentedCall } from '../support/service/documented-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('examples of the documents', (engine) => {
  const service = useTestService(engine);

  it.each(maintained)('of %s succeed with the quickstart’s credentials, ids replaced', async (version) => {
    await callEveryOperation(service, version, async (call) => {
      const { operation } = call;
      const { path, init } = requestOf(call);
      const answer = await service.call('sandbox', path, { redirect: 'manual', ...init });
      const text = await answer.text();
      const { id } = operation;
      expect([id, answer.status, answer.status < 400 ? '' : text]).toEqual([id, successOf(operation), '']);
      expect([id, answer.headers.get('service-version')]).toEqual([id, version]);
      return text;
    });
  });
});

/** The first status that is no error. */
function successOf({ responses }: ServedOperation): number {
  const statuses = Object.keys(responses).filter((status) => status !== 'default');
  return Math.min(...statuses.map(Number));
}

function requestOf({ operation, bearer, fillIn }: DocumentedCall): { path: string; init: RequestInit } {
  // A key is good for one request.
  const replaced = fillIn(JSON.stringify(requestParts(operation))).replaceAll('order-4711', randomUUID());
  const { path, query, headers, mediaType, body } = JSON.parse(replaced) as ReturnType<typeof requestParts>;
  const authorization = operation.security.length > 0 ? { authorization: `Bearer ${bearer}` } : {};
  const sent = mediaType?.includes('form')
    ? new URLSearchParams(body as Record<string, string>)
    : JSON.stringify(body);
  return {
    path: `${path}?${new URLSearchParams(query)}`,
    init: {
      method: operation.method,
      headers: { ...headers, ...authorization, ...(mediaType && { 'content-type': mediaType }) },
      ...(mediaType && { body: sent }),
    },
  };
}

function requestParts({ path, parameters, requestBody }: ServedOperation) {
  const at = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, String(example)]),
    );
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const ids = at('path');
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => ids[name] ?? ''),
    query: at('query'),
    headers: at('header'),
    mediaType,
    body: content?.example,
  };
}
