import { frozenVersions } from '../contracts/api.ts';
import type { Environment } from '../environments/environment.ts';
import { createReleaseDesk, type ReleaseDesk } from '../releases/release-desk.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';

/** Where releases of one environment are decided: production keeps the window, the sandbox may rehearse. */
export function releaseDeskOf({ build: { hashes } }: EnvironmentRuntime, { name }: Environment): ReleaseDesk {
  return createReleaseDesk({
    frozen: frozenVersions(),
    held: hashes,
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
  });
}
