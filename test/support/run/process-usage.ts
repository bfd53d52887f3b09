import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/** Settings of a process that tells at its end what it has used. */
export function usageModule(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'usage.mjs');
  writeFileSync(
    file,
    "process.once('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); " +
      "console.error('used', (userCPUTime + systemCPUTime) / 1e6, 's', maxRSS / 1024, 'MB'); });",
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(file)}` };
}

/** Processor time and memory, by what such a process has said. */
export function usageIn(stderr: string): { seconds: number; megabytes: number } {
  const [, seconds, megabytes] = /^used (\S+) s (\S+) MB$/m.exec(stderr) ?? [];
  if (seconds === undefined || megabytes === undefined) throw new Error(`no usage was told: ${stderr}`);
  return { seconds: Number(seconds), megabytes: Number(megabytes) };
}
