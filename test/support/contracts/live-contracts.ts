import { type CompiledApi, compileApi, createLiveContracts, type LiveContracts } from '@dateline/versions';
import { createVersions } from '../../../src/compose/create-versions.ts';
import { apiSource } from '../../../src/contracts/api.ts';
import type { Clock } from '../../../src/kernel/clock.ts';

let api: CompiledApi | undefined;

/** The contracts of this build; the calendar decides which of them are maintained. */
export function liveContracts(clock: Clock): LiveContracts {
  api ??= compileApi(apiSource());
  return createLiveContracts(api, createVersions(clock));
}
