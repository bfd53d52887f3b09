import { type StatsFs, statfsSync, statSync } from 'node:fs';
import type { Config } from '../../config/load-config.ts';
import { tlsParameters } from '../../storage/postgres/tls.ts';
import type { Finding } from '../finding.ts';
import { nodeEndsAt } from './end-of-life.ts';

/** The version of Node, as `process.version` has it, and how long it gets fixes. */
export function runtime(version: string, now: Date): Finding {
  const check = 'runtime';
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  const endsAt = nodeEndsAt(major);
  if (endsAt === null)
    return {
      check,
      state: 'warning',
      message: `Node ${major} is not a long-term version that this build was tested on; use Node 24.`,
    };
  const day = endsAt.toISOString().slice(0, 10);
  if (endsAt <= now)
    return {
      check,
      state: 'warning',
      message: `Node ${major} gets no fixes since ${day}; use a newer long-term version, such as Node 24.`,
    };
  return { check, state: 'ok', message: `Node ${version} gets fixes until ${day}.` };
}

const MIB = 1024 ** 2;
/** Of files that hardly grow, and of a database. */
const NEEDED_MIB = { server: 500, embedded: 5_000 };
/** The share of it below which nothing may be left by tomorrow. */
const LOW_SHARE = 0.1;

/** The space that is left for the data folder. */
export function disk(
  { bavail, bsize }: Pick<StatsFs, 'bavail' | 'bsize'>,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Finding {
  const check = 'disk';
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const neededMib = databaseUrl === null ? NEEDED_MIB.embedded : NEEDED_MIB.server;
  const left = `${freeMib} MiB are left for the data folder ${dataDir}`;
  if (freeMib >= neededMib) {
    const elsewhere =
      databaseUrl === null
        ? ''
        : ' The disk of the database server cannot be seen from here: watch it there.';
    return { check, state: 'ok', message: `${left}.${elsewhere}` };
  }
  const state = freeMib < LOW_SHARE * neededMib ? 'problem' : 'warning';
  return { check, state, message: `${left}; free some space, or move it to a larger disk.` };
}

/** The same for the disk that is there. */
export function examineDisk(config: Config): Finding {
  return disk(statfsSync(config.dataDir), config);
}

/** Read or write, for users who are neither the owner nor in the group. */
const OTHERS = 0o006;

/** The files with secrets of this node, and who else may use them. */
export function secretFiles({ dataDir, secretFiles: named, databaseUrl }: Config): Finding {
  const check = 'secret-files';
  const key = databaseUrl === null ? null : (tlsParameters(databaseUrl)?.sslkey ?? null);
  const paths = [
    ...['secret.key', 'quickstart.json'].map((name) => `${dataDir}/${name}`),
    ...named.map(({ path }) => path),
    ...(key === null ? [] : [key]),
  ];
  const open = paths.filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0,
  );
  if (open.length === 0)
    return { check, state: 'ok', message: 'Other users of this machine cannot read the files with secrets.' };
  return {
    check,
    state: 'warning',
    message: `Every user of this machine can use the secrets in ${open.join(', ')}; run "chmod o= ${open.join(' ')}", or mount ${open.length === 1 ? 'it' : 'them'} with mode 0440.`,
  };
}
