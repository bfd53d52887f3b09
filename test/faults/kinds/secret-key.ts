import { randomBytes } from 'node:crypto';
import { NODES } from '../clients/history.ts';
import type { DatelineProcess } from '../deployment/dateline-process.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import type { FaultKind } from './fault.ts';

const SETTING = 'DATELINE_SECRET_KEY';
const START_MS = 60_000;

/** In the steps of docs/operating.md, of which each process restarts twice. */
export const secretKey: FaultKind = {
  name: 'the secret key is changed, and all restart one after the other',
  on: 'everything',
  weight: 0.2,
  recovers: ['requests', 'deliveries'],
  stepMs: 180_000,
  async begin({ deployment }) {
    const newKey = randomBytes(32).toString('base64');
    // All that were used before: a change that was not finished is finished by the next one.
    await restartAll(deployment, (before) => `${newKey},${before}`);
    return {
      nodes: NODES,
      async heal() {
        for (const environment of ['sandbox', 'production'])
          await deployment.command(['secret-key', 'rotate', '--environment', environment]);
        await restartAll(deployment, () => newKey);
      },
    };
  },
};

async function restartAll(
  { nodes, workers }: Deployment,
  keysAfter: (before: string) => string,
): Promise<void> {
  for (const { process } of [...nodes, ...workers]) {
    process.env[SETTING] = keysAfter(process.env[SETTING] ?? '');
    await restarted(process);
  }
}

async function restarted(process: DatelineProcess): Promise<void> {
  const starts = process.starts();
  process.restart();
  await until(() => process.starts() > starts, START_MS, `${process.name} does not end`);
  await process.untilReady();
}
