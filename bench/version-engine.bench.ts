import { compileApi, previousVersion } from '@dateline/versions';
import { createVersions } from '../src/compose/create-versions.ts';
import { apiSource } from '../src/contracts/api.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Bench, Contender } from './harness.ts';

export const bench: Bench = {
  name: 'version-engine',
  description:
    'choosing the version of a request (a million a second is one microsecond each), and compiling all contracts',
  ratios: [['choosing, a version that is not served', 'choosing, a served version']],
  async prepare() {
    const versions = createVersions(systemClock);
    const { deprecated } = versions.lifecycle();
    const removed = previousVersion(deprecated);
    const source = apiSource();
    return {
      contenders: [
        inALoop('choosing, a served version', () => versions.select(deprecated)),
        inALoop('choosing, a version that is not served', () => versions.select(removed)),
        inALoop('compiling all contracts', () => compileApi(source), 1),
      ],
      close: async () => {},
    };
  },
};

/** In chunks, so that looking at the clock does not weigh. */
function inALoop(name: string, operation: () => unknown, chunk = 1_000): Contender {
  return {
    name,
    async work(forMs) {
      const end = performance.now() + forMs;
      let operations = 0;
      while (performance.now() < end) {
        for (let index = 0; index < chunk; index += 1) operation();
        operations += chunk;
      }
      return { operations };
    },
  };
}
