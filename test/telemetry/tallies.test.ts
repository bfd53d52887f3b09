import { Counter, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { tallyCounts, tallyDurations } from '../../src/telemetry/tallies.ts';

const help = 'What it is.';
const buckets = [0.1, 1];

/** The order of lines and labels says nothing. */
async function linesOf(registry: Registry): Promise<string[]> {
  const sorted = (line: string) =>
    line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`);
  return (await registry.metrics()).trim().split('\n').map(sorted).sort();
}

describe('tallies are shown as the metrics library shows its own', () => {
  const [ours, library] = [new Registry(), new Registry()];
  for (const registry of [ours, library]) registry.setDefaultLabels({ environment: 'sandbox' });
  const registers = [library];

  it('counts by one label, and by two', async () => {
    const countOne = tallyCounts(ours, { name: 'ones', help, labels: ['kind'] });
    const countTwo = tallyCounts(ours, { name: 'twos', help, labels: ['kind', 'state'] });
    const one = new Counter({ name: 'ones', help, labelNames: ['kind'], registers });
    const two = new Counter({ name: 'twos', help, labelNames: ['kind', 'state'], registers });
    for (const kind of ['a', 'b', 'a']) {
      countOne(kind);
      one.inc({ kind });
      for (const state of ['new', 'old']) {
        countTwo(kind, state);
        two.inc({ kind, state });
      }
    }
    expect(await linesOf(ours)).toEqual(await linesOf(library));
  });

  it('durations by one label, and by none', async () => {
    const addAny = tallyDurations(ours, { name: 'any_seconds', help, buckets });
    const addOne = tallyDurations(ours, { name: 'one_seconds', help, buckets, label: 'kind' });
    const any = new Histogram({ name: 'any_seconds', help, buckets, registers });
    const one = new Histogram({ name: 'one_seconds', help, buckets, labelNames: ['kind'], registers });
    for (const seconds of [0.05, 0.1, 0.5, 30]) {
      addAny(seconds);
      any.observe(seconds);
      for (const kind of ['a', 'b']) {
        addOne(seconds, kind);
        one.observe({ kind }, seconds);
      }
    }
    expect(await linesOf(ours)).toEqual(await linesOf(library));
  });
});
