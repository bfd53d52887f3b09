import type { Environment } from '../environments/environment.ts';
import { createReleaseDesk, type ReleaseDesk } from '../releases/release-desk.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';

/** Where releases of one environment are decided: production keeps the window, the sandbox may rehearse. */
export function releaseDeskOf({ build }: EnvironmentRuntime, { name }: Environment): ReleaseDesk {
  return createReleaseDesk({
    frozen: build.frozen,
    held: build.hashes,
    heldFolder: build.folder?.hashes ?? null,
    rehearsals: name === 'sandbox',
    windowed: name === 'production',
  });
}
