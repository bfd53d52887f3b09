import { type ApiVersion, type Ask, type CompiledVersion, compileApi } from '@dateline/versions';
import { beforeAll, expect, it } from 'vitest';
import { readFrozenFiles } from '../../src/api/folder/freeze/frozen-files.ts';
import { frozenIn } from '../../src/cli/contracts/our-frozen.ts';
import { apiSource } from '../../src/contracts/api.ts';
import { createTestDatabases } from '../support/database/databases.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { useJudges } from '../support/run/judges.ts';
import { maintained } from '../support/service/build-versions.ts';
import { type PlayedOnWire, play } from './player.ts';
import { withoutOutcome } from './record.ts';
import { scriptOf } from './scripts.ts';
import { createValidatingProxy, type ValidatingProxy } from './validating-proxy.ts';

const { tapes } = readFrozenFiles(frozenIn('.'));
const BUSY_MS = 240_000;

/** The document as the service has it that is played. */
const askDocument = (version: ApiVersion): Ask => ({
  name: 'the document',
  operation: null,
  as: 'nobody',
  method: 'GET',
  path: `/versions/${version}/openapi.json`,
});

/** The tape of a frozen version, or the script of Next, at the addresses of the document. */
function asksOf(version: ApiVersion): Ask[] {
  const { contract } = compileApi(apiSource()).get(version) as CompiledVersion;
  const asks: readonly Ask[] = tapes[version]?.exchanges ?? scriptOf(contract).map(withoutOutcome);
  return asks.map((ask) => ({ ...ask, path: ask.path.replace(/\/(?=\?|$)/, '') }));
}

describeInLongRuns.each(maintained)('a validating proxy with the served document of %s', (version) => {
  const judge = useJudges();
  let played: PlayedOnWire[];
  let judged: ValidatingProxy;
  beforeAll(async () => {
    const [document, ...rest] = await play(version, [askDocument(version), ...asksOf(version)], () =>
      createTestDatabases('PGlite'),
    );
    played = rest;
    judged = await createValidatingProxy(judge('@stoplight/prism-http'), document?.body as object);
  }, BUSY_MS);

  async function findingsIn(answers: readonly PlayedOnWire[]): Promise<string[]> {
    const found: string[] = [];
    for (const answer of answers) found.push(...(await judged(answer)));
    return found;
  }

  it('flags no answer of the tape', { timeout: BUSY_MS }, async () => {
    const operations = played.filter(({ exchange }) => exchange.operation !== null);
    expect(operations.length).toBeGreaterThan(500);
    expect(await findingsIn(operations)).toEqual([]);
  });

  it('would flag each of them with another body, type or status', { timeout: BUSY_MS }, async () => {
    const withContent = played.filter(
      ({ exchange, body }) => exchange.operation !== null && typeof body === 'object' && body !== null,
    );
    expect(withContent.length).toBeGreaterThan(400);
    for (const answer of withContent) {
      const { exchange, headers } = answer;
      const broken = [
        { ...answer, body: [{}] },
        { ...answer, headers: { ...headers, 'content-type': 'text/plain' } },
        { ...answer, exchange: { ...exchange, answer: { ...exchange.answer, status: 418 } } },
      ];
      for (const one of broken) expect(await judged(one), exchange.name).not.toEqual([]);
    }
  });

  it('would flag a field that is missing, and one of another type', async () => {
    const { body, ...rest } = played.find(
      ({ exchange }) => exchange.operation === 'products:read' && exchange.answer.status === 200,
    ) as PlayedOnWire;
    const { name: _name, ...nameless } = body as { name: string };
    const findings = [
      ...(await judged({ ...rest, body: nameless })),
      ...(await judged({ ...rest, body: { ...nameless, name: 7 } })),
    ];
    expect(findings.join()).toMatch(/required property 'name'.*name must be string/);
  });
});
