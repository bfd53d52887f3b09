import { apiSource } from '../../src/contracts/api.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createVersions } from '../../src/main.ts';
import { type CompiledApi, compileApi } from '../../src/versions/compile-api.ts';
import { createLiveContracts, type LiveContracts } from '../../src/versions/live-contracts.ts';

let api: CompiledApi | undefined;

/** The contracts of this build, as the calendar says which of them are maintained. */
export function liveContracts(clock: Clock): LiveContracts {
  api ??= compileApi(apiSource());
  return createLiveContracts(api, createVersions(clock));
}
