import { parseArgs } from 'node:util';

export interface Options {
  seed: string;
  faults: number;
  /** Only this one; null for all. */
  part: number | null;
  /** Only kinds, or lies, whose names have one of these in them. */
  kinds: readonly string[];
  /** The number of a fault that is injected again, with those that came just before it. */
  repeat: number | null;
  lies: boolean;
  short: boolean;
}

/** A few are met by nobody; a thousand are to count. */
export const FAULTS = 1_010;
const FAULTS_OF_SHORT = 20;
export const DEFAULT_SEED = 'dateline';

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      faults: { type: 'string' },
      part: { type: 'string' },
      kind: { type: 'string', multiple: true, default: [] },
      repeat: { type: 'string' },
      lies: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
    },
  });
  const [, repeatedSeed, repeated] = /^(.+):(\d+)$/.exec(values.repeat ?? '') ?? [];
  if (values.repeat !== undefined && repeated === undefined)
    throw new Error('--repeat takes a seed, a colon and the number of a fault');
  const seed = repeatedSeed ?? values.seed ?? DEFAULT_SEED;
  // It is part of keys and ids that clients send.
  if (!/^[\w-]{1,64}$/.test(seed))
    throw new Error('a seed is up to 64 letters, digits, hyphens and underscores');
  return {
    seed,
    faults: Number(values.faults ?? (values.short ? FAULTS_OF_SHORT : FAULTS)),
    part: values.part === undefined ? null : Number(values.part),
    kinds: values.kind,
    repeat: repeated === undefined ? null : Number(repeated),
    lies: values.lies,
    short: values.short,
  };
}
