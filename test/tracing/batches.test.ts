import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchQueries } from '../../src/storage/batch-queries.ts';
import { currentSpan, runIn, spanning } from '../../src/tracing/span.ts';
import { parseTraceparent } from '../../src/tracing/traceparent.ts';
import { createTracer, type Tracer } from '../../src/tracing/tracer.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/tracing/otlp-receiver.ts';

/** Traces everything. Returns what the receiver has at the end. */
async function traced(work: (tracer: Tracer) => Promise<void>): Promise<OtlpReceiver> {
  const otlp = await startOtlpReceiver();
  const settings = { endpoint: otlp.url, headers: {}, timeoutMs: 5_000, ratio: 1 };
  const tracer = createTracer({ ...settings, resource: { 'service.name': 'test' }, onExport() {} });
  await work(tracer);
  await tracer.close();
  await otlp.close();
  return otlp;
}

/** Looks up numbers, and says in which span each batch did. */
function doubling(seen: (string | undefined)[] = []) {
  return batchQueries<number, number>(
    { connections: { reads: 4, writes: 4 } },
    {
      kind: 'reads',
      inFlightMax: 1,
      async run(keys) {
        await setImmediate();
        seen.push(currentSpan()?.traceId);
        return keys.map((key) => key * 2);
      },
    },
  );
}

describe('a batch', () => {
  it('is a part of the first request that is traced, and linked to all of them', async () => {
    const otlp = await traced(async (tracer) => {
      const double = doubling();
      const requests = ['first', 'second'].map((name) => tracer.begin({ name, kind: 'server' }, null));
      const [first, second] = requests.map((span) => span ?? undefined);
      const doubled = [double(1), runIn(first, () => double(2)), runIn(second, () => double(3))];
      expect(await Promise.all(doubled)).toEqual([2, 4, 6]);
      first?.end();
      second?.end();
    });
    const [first, second, batch] = [otlp.span('first'), otlp.span('second'), otlp.span('batch of reads')];
    expect(batch.parentId).toBe(first.spanId);
    expect(batch.links).toEqual([first.spanId, second.spanId]);
    expect(batch.attributes['dateline.batch.size']).toBe(3);
  });

  it('of requests that are not traced is no part of one that is, whoever was answered last', async () => {
    const seen: (string | undefined)[] = [];
    const otlp = await traced(async (tracer) => {
      const double = doubling(seen);
      const span = tracer.begin({ name: 'traced' }, null) ?? undefined;
      const first = runIn(span, () => double(1));
      await setImmediate();
      // It waits for the first, and is looked for when that has been answered: in the span of the first.
      await Promise.all([first, double(2)]);
      span?.end();
    });
    expect(seen).toEqual([otlp.span('traced').traceId, undefined]);
    expect(otlp.spans.map(({ name }) => name).sort()).toEqual(['batch of reads', 'traced']);
  });

  it('that fails says so in its span, and in no other one', async () => {
    const otlp = await traced(async (tracer) => {
      const span = tracer.begin({ name: 'request' }, null);
      if (!span) throw new Error('everything is traced');
      const part = span.begin({ name: 'part' });
      await expect(spanning(part, () => Promise.reject(new TypeError('secret')))).rejects.toThrow('secret');
      span.end();
      // Nothing is a part of what has ended.
      expect(runIn(span, () => currentSpan())).toBeUndefined();
    });
    expect(otlp.span('part').isFailed).toBe(true);
    expect(otlp.span('request').isFailed).toBe(false);
    expect(JSON.stringify(otlp.spans)).not.toContain('secret');
  });
});

describe('a traceparent', () => {
  const ids = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

  it.each([
    [`00-${ids}-01`, true],
    [`00-${ids}-00`, false],
    [`00-${ids}-03`, true],
    [`cc-${ids}-01-what-comes-later`, true],
  ])('%s is read', (text, isSampled) => {
    const [traceId, spanId] = ids.split('-');
    expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled });
  });

  it.each([
    undefined,
    '',
    ids,
    `ff-${ids}-01`,
    `00-${ids}-01-more`,
    `00-${ids.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
    [`00-${ids}-01`],
  ])('%j is none', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});
