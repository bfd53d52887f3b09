import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeInLongRuns } from '../../../support/run/in-long-runs.ts';
import { typeProblems } from '../../../support/run/type-problems.ts';

/** Compiles a program that uses the client of a version; returns the compiler's messages. */
function problemsWith(version: string, lines: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-client-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = resolve('client', 'src', version);
  writeFileSync(
    join(folder, 'program.mts'),
    `import { Dateline, type Product } from '${source}/index.ts';
import type { Webhook } from '${source}/webhooks.ts';
const client = new Dateline({ environment: 'sandbox' });
declare const product: Product;
declare const webhook: Webhook;
${lines}
export { client, product, webhook };
`,
  );
  return typeProblems(folder);
}

const newProduct = "name: 'Plan', billing: 'recurring', prices: [{ amount: 1, currency: 'eur' }]";

describeInLongRuns('the types of the client, 2027-01 against 2026-10', () => {
  it.each([
    ['a field of a result', 'product.visibility;', /'visibility' does not exist on type 'Product'/],
    [
      'a field of a request',
      `client.products.create({ ${newProduct}, visibility: 'private' });`,
      /'visibility' does not exist/,
    ],
    [
      'a value of a field',
      `client.products.create({ ${newProduct.replace('recurring', 'usage')} });`,
      /"usage"' is not assignable/,
    ],
    ['a query', "client.products.list({ cursor: 'x' });", /'cursor' does not exist/],
    ['a call', "client.products.delete('prd_1');", /'delete' does not exist/],
    ['a kind of webhook', "webhook.type === 'product.deleted';", /no overlap/],
  ])('[versions 98] have %s of the newer one only there', (_what, lines, problem) => {
    const older = problemsWith('2026-10', lines);
    expect(older).toHaveLength(1);
    expect(older[0]).toMatch(problem);
    expect(problemsWith('2027-01', lines)).toEqual([]);
  });

  it.each([
    ['a field', 'product.is_archived;'],
    ['a call', "client.products.archive('prd_1');"],
    ['a query', 'client.products.list({ page: 2 });'],
  ])('[versions 98] have %s of the older one only there', (_what, lines) => {
    expect(problemsWith('2026-10', lines)).toEqual([]);
    expect(problemsWith('2027-01', lines)).toHaveLength(1);
  });

  it('discriminate webhooks by type, and tokens by whether they are active', () => {
    const lines = `
if (webhook.type === 'product.created') { const name: string = webhook.data.name; name; }
else if (webhook.type === 'token.revoked') { const digest: string = webhook.data.token_sha256; digest; }
const facts = await client.oauth.introspect({ token: 'x' });
if (facts.active) { const sub: string = facts.sub; sub; }
const version: '2026-10' = client.apiVersion; version;
for await (const { prices } of client.products.list()) prices.map(({ amount }) => amount + 1);`;
    expect(problemsWith('2026-10', lines)).toEqual([]);
    expect(
      problemsWith('2026-10', 'const facts = await client.oauth.introspect({ token: "x" }); facts.sub;'),
    ).toEqual([expect.stringContaining("'sub' does not exist on type 'InactiveToken'")]);
  });
});
