import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatheredLines } from '../../src/telemetry/gathered-lines.ts';

describe('lines of the log', () => {
  function file(flags: string) {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'log');
    writeFileSync(path, '');
    return { path, fd: openSync(path, flags) };
  }

  it('come in their order, soon', async () => {
    const { path, fd } = file('a');
    const lines = gatheredLines(fd);
    lines.write('one\n');
    lines.write('two\n');
    await expect.poll(() => readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('that cannot be written do not end the process', async () => {
    const ended: unknown[] = [];
    const note = (error: unknown): void => void ended.push(error);
    process.on('uncaughtException', note);
    const lines = gatheredLines(file('r').fd);
    lines.write('one\n');
    await delay(50);
    lines.write('two\n');
    await delay(50);
    process.off('uncaughtException', note);
    expect(ended).toEqual([]);
  });
});
