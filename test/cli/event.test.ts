import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readLines } from '../../src/cli/input/read-lines.ts';
import { anyEngine } from '../support/database/databases.ts';
import { homeTime } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { useTestService } from '../support/service/test-service.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';

describe('dateline event publish', () => {
  const service = useTestService(anyEngine, {}, homeTime, { build: buildWithFolderKinds() });
  const folder = mkdtempSync(join(tmpdir(), 'dateline-events-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = () => operatorSettings(service);
  const batchSizes = () =>
    service.logLines.filter((line) => line.includes('"route":"/operator/events"')).length;

  const order = (id: string, data: object = orderData(1)) =>
    JSON.stringify({
      id,
      type: 'order.created',
      organization_id: service.quickstart.sandbox.organization_id,
      data,
    });
  function written(...lines: string[]): string {
    const path = join(folder, 'events.ndjson');
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  }
  const publish = (file: string, ...more: string[]) =>
    runCommandLine(['event', 'publish', '--file', file, ...more], env());

  it('[own events] sends a file in batches, and says the second time that all were there', async () => {
    const file = written(...Array.from({ length: 1_200 }, (_, number) => order(`file-${number}`)));
    const before = batchSizes();
    expect((await publish(file, '--dry-run', '--json')).out).toBe(
      '{"dry_run":true,"new":1200,"already":0}\n',
    );
    expect((await publish(file)).out).toBe('dry_run    false\npublished  1200\nalready    0\n');
    expect(batchSizes() - before).toBe(6);
    expect((await publish(file)).out).toBe('dry_run    false\npublished  0\nalready    1200\n');
  });

  it('[own events] stops at a batch that is refused, and names the lines as they stand in the file', async () => {
    const good = Array.from({ length: 500 }, (_, number) => order(`stop-${number}`));
    const bad = order('stop-bad', { ...orderData(1), total: 'much' });
    const { code, out, err } = await publish(
      written('', ...good, '', order('stop-next'), bad, order('stop-x')),
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^dateline: Lines 503 to 505 failed: line 504: data\.total must be integer\. \(422 validation_failed, request req_\w+\)\. Published so far: 500; the same command resumes from there\.\n$/,
    );
    const mended = written('', ...good, '', order('stop-next'), order('stop-bad'), order('stop-x'));
    expect((await publish(mended)).out).toBe('dry_run    false\npublished  3\nalready    500\n');
    const taken = await publish(written(order('stop-next', orderData(2))), '--dry-run');
    expect(taken.err).toContain('Line 1 failed: line 1: id stop-next was used before');
    expect(taken.err).toContain('Valid so far: 0.');
  });

  it('[own events] keeps a batch below what the service takes', async () => {
    const note = 'ü'.repeat(100_000);
    const lines = Array.from({ length: 25 }, (_, number) =>
      order(`long-${number}`, { ...orderData(1), note }),
    );
    expect((await publish(written(...lines))).out).toBe('dry_run    false\npublished  25\nalready    0\n');
  });

  it('[own events] names a line that is no JSON object, and a file that cannot be read', async () => {
    expect((await publish(written(order('x'), '[]'))).err).toBe('dateline: Line 2 is not a JSON object.\n');
    expect((await publish(written(order('x'), '{'))).err).toBe('dateline: Line 2 is not a JSON object.\n');
    const missing = await publish(join(folder, 'missing.ndjson'));
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/missing\.ndjson cannot be read: ENOENT/),
    ]);
    expect((await runCommandLine(['event', 'publish'], env())).err).toContain('--file is missing');
  });

  it('[own events] lines end with a newline, and with nothing else that JSON may hold', async () => {
    async function* chunks(...parts: (string | Uint8Array)[]) {
      yield* parts;
    }
    const linesOf = async (...parts: (string | Uint8Array)[]) => {
      const lines = [];
      for await (const line of readLines(chunks(...parts))) lines.push(line);
      return lines;
    };
    const umlaut = Buffer.from('"ü"');
    expect(await linesOf('"a\u2028b"\n\n  \n', umlaut.subarray(0, 2), umlaut.subarray(2))).toEqual([
      { number: 1, text: '"a\u2028b"' },
      { number: 4, text: '"ü"' },
    ]);
    await expect(linesOf(Uint8Array.of(0x22, 0xff, 0x22))).rejects.toThrow('The input is not UTF-8.');
  });
});
