// For every test file, which functions of ours it calls: V8 counts them, and forgets its counts when it is asked.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

const SOURCES = /^(src|versions\/src|client\/src)\//;

const session = await startCounting();
await session.post('Profiler.takePreciseCoverage');

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const test = relative('.', expect.getState().testPath);
  const calls = Object.fromEntries(
    result.map(calledIn).filter(([file, names]) => SOURCES.test(file) && names.length > 0),
  );
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16);
  writeFileSync(join(process.env.MUTANTS_CALLS, `${name}.json`), JSON.stringify({ test, calls }));
});

/** Once in a worker, which runs many files. */
async function startCounting() {
  if (globalThis.countingSession) return globalThis.countingSession;
  const started = new Session();
  started.connect();
  await started.post('Profiler.enable');
  await started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  globalThis.countingSession = started;
  return started;
}

function calledIn({ url, functions }) {
  const path = url.startsWith('file://') ? fileURLToPath(url) : url;
  const called = functions
    .filter(({ ranges }) => ranges[0].count > 0)
    .map(({ functionName }) => functionName);
  return [relative('.', path.replace(/\?.*$/, '')), [...new Set(called)]];
}
