import { ANOMALIES, type AnomalyKind } from '../checker/anomaly.ts';
import type { FaultOutcome, PartOutcome } from '../run/outcome.ts';

/** A line for each kind of fault, and one for all. */
export function tableOf(parts: readonly PartOutcome[]): string {
  const faults = parts.flatMap((part) => part.faults);
  const anomalies = parts.flatMap((part) =>
    part.anomalies.map(({ kind, during }) => ({
      kind,
      fault: part.faults.find(({ number }) => number === during)?.kind ?? '',
    })),
  );
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  const row = (name: string, some: readonly FaultOutcome[], found: readonly AnomalyKind[]): string => {
    const cells = [
      name,
      some.length,
      some.filter(({ isMet }) => isMet).length,
      sum(some.map(({ failed }) => failed)),
      ...recoveriesOf(some),
      ...ANOMALIES.map((kind) => found.filter((one) => one === kind).length),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const lines = kinds.map((kind) =>
    row(
      kind,
      faults.filter((one) => one.kind === kind),
      anomalies.filter(({ fault }) => fault === kind).map((one) => one.kind),
    ),
  );
  const heads = [
    'fault',
    'injected',
    'met',
    'requests failed',
    'back after, median s',
    'most s',
    ...ANOMALIES,
  ];
  return [
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---').join('|')}|`,
    ...lines,
    row(
      `**all, ${kinds.length} kinds**`,
      faults,
      anomalies.map(({ kind }) => kind),
    ),
  ].join('\n');
}

function recoveriesOf(faults: readonly FaultOutcome[]): string[] {
  const seconds = faults.map(({ recoveredMs }) => (recoveredMs ?? Number.POSITIVE_INFINITY) / 1_000);
  const sorted = seconds.toSorted((one, other) => one - other);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return [median, most].map((value) =>
    value === undefined || !Number.isFinite(value) ? '—' : value.toFixed(1),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What the run was made of, in a sentence. */
export function figuresOf(parts: readonly PartOutcome[]): string {
  const total = (name: keyof PartOutcome['figures']): string =>
    sum(parts.map(({ figures }) => figures[name])).toLocaleString('en-GB');
  const minutes = (sum(parts.map(({ seconds }) => seconds)) / 60).toFixed(0);
  const longest = (Math.max(...parts.map(({ seconds }) => seconds)) / 60).toFixed(1);
  return `${parts.length} parts, ${minutes} minutes together, ${longest} the longest. ${total('requests')} requests, of which ${total('unavailable')} were told to come again and ${total('lost')} had no answer; ${total('tokens')} tokens, ${total('endings')} ends of access, ${total('creates')} creates, ${total('events')} events, ${total('arrivals')} deliveries.`;
}
