import { mkdtempSync, openSync, readFileSync, rmSync, write, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatheredLines } from '../../src/telemetry/log.ts';

const writeTo = promisify(write) as (fd: number, text: string) => Promise<unknown>;
/** Lines are written after a few milliseconds. */
const passedOn = () => delay(20);

describe('lines of the log', () => {
  function file(flags: string) {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'log');
    writeFileSync(path, '');
    return { path, fd: openSync(path, flags) };
  }

  it('are written in order, soon', async () => {
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
    const { fd } = file('r');
    const lines = gatheredLines(fd);
    for (const line of ['one\n', 'two\n']) {
      lines.write(line);
      await passedOn();
      // Our write was queued after theirs: once it has failed, so has theirs.
      await expect(writeTo(fd, line)).rejects.toMatchObject({ code: 'EBADF' });
      await passedOn();
    }
    process.off('uncaughtException', note);
    expect(ended).toEqual([]);
  });
});
