import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, hexOf } from '../../../src/kernel/digest.ts';
import type { Anomaly } from '../checker/anomaly.ts';
import { nameOf } from '../checker/check-tokens.ts';
import type { Deployment } from '../deployment/deployment.ts';

const TOKENS_MAX = 20;

/** Writes down what storage says of the tokens that something was wrong with. */
export async function explainTokens(
  { cluster: { primary }, folder }: Deployment,
  tokens: readonly string[],
  anomalies: readonly Anomaly[],
): Promise<void> {
  const named = tokens.filter((token) => anomalies.some(({ text }) => text.includes(nameOf(token))));
  const explained = [];
  for (const token of named.slice(0, TOKENS_MAX)) {
    const [row] = await primary.sql(
      `select t.*, to_jsonb(g) as grant_row,
              (select jsonb_agg(a) from dateline_sandbox.audit_log a
               where to_jsonb(a)::text like '%' || t.grant_id || '%') as audit
       from dateline_sandbox.oauth_tokens t join dateline_sandbox.oauth_grants g on g.id = t.grant_id
       where t.digest = decode($1, 'hex')`,
      [hexOf(digestOf(token))],
    );
    explained.push({ token: nameOf(token), row });
  }
  writeFileSync(join(folder, 'explained.json'), JSON.stringify(explained, null, 1));
}
