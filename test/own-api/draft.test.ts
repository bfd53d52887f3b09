import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { edit } from '../support/folder/orders-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const NEXT = 'contract/next.yaml';
const STEP = `contract/changes/${next}-to-${current}`;

describe('dateline contract draft', () => {
  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-draft-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    return folder;
  }
  const run = (folder: string, word: string) => runCommandLine(['contract', word, '--api', folder]);
  const addField = (folder: string, line: string) =>
    edit(folder, NEXT, (text) => text.replace('        state: {', `        ${line}\n        state: {`));

  it('[draft] writes a module that passes the check, beside what is there', async () => {
    const folder = await newFolder();
    addField(folder, 'gift: { type: boolean }');
    expect((await run(folder, 'check')).code).toBe(1);
    const { code, err } = await run(folder, 'draft');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 change, 0 open questions'),
    });
    const index = join(folder, STEP, 'index.mjs');
    const before = readFileSync(index, 'utf8');
    expect(err).toContain(`Add it to ${STEP}/index.mjs:`);
    edit(folder, `${STEP}/index.mjs`, () => "export { changes } from './drafted.mjs';\n");
    expect((await run(folder, 'check')).code).toBe(0);
    expect((await run(folder, 'draft')).err).toContain('Nothing to draft: every difference has a change.');
    expect(before).not.toContain('drafted');
  });

  it('[draft] leaves a question that the check refuses, and never writes over what is there', async () => {
    const folder = await newFolder();
    edit(folder, NEXT, (text) => text.replace('quantity, state]', 'quantity, state, note]'));
    edit(folder, NEXT, (text) => text.replace('enum: [placed, refunded]', 'enum: [placed, refunded, held]'));
    addField(folder, 'note: { type: string }');
    expect((await run(folder, 'draft')).err).toContain(`${STEP}/drafted.mjs: 1 change, 1 open question.`);
    await run(folder, 'draft');
    expect(existsSync(join(folder, STEP, 'drafted-2.mjs'))).toBe(true);
    edit(folder, `${STEP}/index.mjs`, () => "export { changes } from './drafted.mjs';\n");
    const { code, err } = await run(folder, 'check');
    expect(code).toBe(1);
    expect(err).toContain(`${STEP}: not decided yet: which value of ${current} is held, as state of Order?.`);
    edit(folder, `${STEP}/drafted.mjs`, (text) => text.replace(/undecided\('[^']*'\)/, "'placed'"));
    expect((await run(folder, 'check')).code).toBe(0);
  });

  it('[draft] says what to do where there is no folder, or a document that cannot be read', async () => {
    expect((await runCommandLine(['contract', 'draft'])).err).toContain(
      'There is no API folder to draft changes in',
    );
    const folder = await newFolder();
    edit(folder, NEXT, () => 'openapi: 3.1.0\n');
    expect((await run(folder, 'draft')).code).toBe(1);
    expect(existsSync(join(folder, STEP, 'drafted.mjs'))).toBe(false);
  });
});
