import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * Starts the service for `work` alone, on free ports and with a data folder of its own, and stops it afterwards.
 * @param {(sandbox: { url: string, quickstart: any, moveTo(at: Date): Promise<void> }) => Promise<any>} work `moveTo` sets the
 * clock of the service, if that starts at another time
 * @param {Date} [at] the time at which the service starts; by default now
 */
export async function withService(work, at) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-tool-'));
  const clock = at ? ['--import', new URL('shifted-clock.mjs', import.meta.url).href] : [];
  const service = spawn(process.execPath, [...clock, join(root, 'bin', 'dateline.mjs'), 'serve'], {
    env: {
      ...process.env,
      ...(at ? { CLOCK_SHIFT_MS: String(shiftTo(at)) } : {}),
      DATELINE_DATA_DIR: dataDir,
      DATELINE_PORT: '0',
      DATELINE_SANDBOX_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore', ...(at ? ['ipc'] : [])],
  });
  const ended = new Promise((resolve) => service.once('close', resolve));
  try {
    const url = await Promise.race([
      readyUrl(service.stdout),
      ended.then(() => Promise.reject(new Error('the service did not start; "npm start" says why'))),
    ]);
    const { sandbox } = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8'));
    return await work({ url, quickstart: sandbox, moveTo: (to) => moveClock(service, to) });
  } finally {
    service.kill();
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function moveClock(service, at) {
  const moved = once(service, 'message');
  service.send({ clockShiftMs: shiftTo(at) });
  await moved;
}

/** Counted from the time of the machine: this process may run at a shifted time itself. */
function shiftTo(at) {
  const machineNow = Date.now() - Number(process.env.CLOCK_SHIFT_MS ?? '0');
  return at.getTime() - machineNow;
}

function readyUrl(stdout) {
  return new Promise((resolve) => {
    let output = '';
    stdout.on('data', (chunk) => {
      output += chunk;
      const [, url] = /^ready sandbox (\S+)$/m.exec(output) ?? [];
      if (url) resolve(url);
    });
  });
}
