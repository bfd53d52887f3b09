import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { editedDocument } from '../support/documents/edited-document.ts';
import { loadDocument, realDocuments } from '../support/documents/real-documents.ts';
import { decisionsOf, folderOf } from '../support/documents/real-folder.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { usageIn, usageModule } from '../support/run/process-usage.ts';
import { typeProblems } from '../support/run/type-problems.ts';
import { runDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const github = realDocuments?.find(({ name }) => name === 'GitHub');

describe.skipIf(!github)('the document of GitHub, with over 1,000 operations', () => {
  it('[folder 47] is checked and served; the figures say what it takes', async () => {
    const document = await loadDocument(github as NonNullable<typeof github>);
    const { next, modules } = editedDocument(document);
    const folder = await folderOf(document, next, modules, decisionsOf(document));
    const usage = usageModule();
    const { code, stderr } = await runDateline(['contract', 'check', '--api', folder], { env: usage });
    expect(code).toBe(0);
    printFigures(`contract check: ${used(stderr)}`);
    const types = await runDateline(['contract', 'types', '--api', folder], { env: usage });
    expect(types.code).toBe(0);
    printFigures(`contract types: ${used(types.stderr)}`);
    expect(typeProblems(join(folder, 'contract/types'), { skipLibCheck: false }, ['*.d.ts'])).toEqual([]);
    for (const args of [[], ['--api', folder]]) {
      const cwd = temporary('dateline-largest-');
      // The first one makes the database.
      await started(args, { env: {}, cwd });
      const { seconds, stderr } = await started(args, { env: usage, cwd });
      printFigures(`serve ${args.join(' ')}: ready after ${seconds.toFixed(1)} s, ${used(stderr)}`);
    }
  });
});

/** Seconds until a service is ready; it is stopped then. */
async function started(args: readonly string[], options: { env: Record<string, string>; cwd: string }) {
  const began = performance.now();
  const service = spawnDateline(['serve', ...args], options);
  await service.ready();
  const seconds = (performance.now() - began) / 1_000;
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
  return { seconds, stderr: service.stderr() };
}

function used(stderr: string): string {
  const { seconds, megabytes } = usageIn(stderr);
  return `${seconds.toFixed(1)} s of processor time, ${Math.round(megabytes)} MB`;
}

function temporary(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
