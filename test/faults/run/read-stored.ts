import { digestOf, hexOf } from '../../../src/kernel/digest.ts';
import type { Stored } from '../checker/stored.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Reads what storage holds, past the service. */
export async function readStored(
  { cluster: { primary }, upstream }: Deployment,
  tokens: readonly string[],
): Promise<Stored> {
  const digests = new Map(tokens.map((token) => [hexOf(digestOf(token)), token]));
  const rows = await primary.sql<{ digest: string }>(
    "select encode(digest, 'hex') as digest from dateline_sandbox.oauth_tokens",
  );
  const endpoints = await primary.sql<{ id: string; key: string }>(
    'select id, description as key from dateline_sandbox.webhook_endpoints where description is not null',
  );
  const occurrences = await primary.sql<{ id: string; event: string }>(
    `select id, data->>'id' as event from dateline_sandbox.occurrences where type = 'order.placed'`,
  );
  return {
    tokens: new Set(rows.flatMap(({ digest }) => digests.get(digest) ?? [])),
    endpoints,
    occurrences,
    orders: upstream.taken(),
  };
}
