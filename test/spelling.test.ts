import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInLongRuns } from './support/run/in-long-runs.ts';
import { useJudges } from './support/run/judges.ts';
import { maintained } from './support/service/build-versions.ts';

const WRITTEN = [
  '*.md',
  'docs/**/*.md',
  'client/README*',
  'versions/README.md',
  'src/contracts/prose/**',
  'src/contracts/changes/**',
];
const WORDS = readFileSync('tools/judges/words.txt', 'utf8').trimEnd().split('\n');
// A run takes seconds, and many times that on a busy machine.
const BUSY_MS = 240_000;
const settings = readFileSync('tools/judges/cspell.json', 'utf8');

/** All that a served document says, one sentence or more in a paragraph. */
function wordsOf(document: object): string {
  const said: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (['title', 'summary', 'description'].includes(key) && typeof value === 'string') said.push(value);
    return value;
  });
  return said.join('\n\n');
}

describe('a spell-checker finds nothing', { timeout: BUSY_MS }, () => {
  const judge = useJudges();
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dateline-words-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What cspell says, a line for each word; what it has looked at, last. */
  function findings(root: string, globs: readonly string[], words: readonly string[] = WORDS): string[] {
    const config = join(folder, 'cspell.json');
    writeFileSync(config, settings);
    writeFileSync(join(folder, 'words.txt'), words.join('\n'));
    const options = ['--no-progress', '--no-color', '--no-cache', '--config', config, '--root', root];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [judge('cspell/bin.mjs'), 'lint', ...options, ...globs],
      { cwd: root, encoding: 'utf8' },
    );
    return (stdout + stderr).trim().split('\n');
  }

  itInLongRuns('in what we have written', () => {
    const [last, ...found] = findings(resolve('.'), WRITTEN).toReversed();
    expect(found).toEqual([]);
    expect(last).toMatch(/^CSpell: Files checked: \d{2,}, Issues found: 0 in 0 files/);
  });

  itInLongRuns('in the documents that are served', async () => {
    // Loaded when it is needed: it compiles all contracts.
    const { documentOf } = await import('./support/contracts/served-documents.ts');
    for (const version of maintained)
      writeFileSync(join(folder, `${version}.md`), wordsOf(documentOf(version)));
    const [last, ...found] = findings(folder, ['*.md']).toReversed();
    expect(found).toEqual([]);
    expect(last).toContain(`Files checked: ${maintained.length}, Issues found: 0 in 0 files`);
  });

  itInLongRuns('that is not in the list of our field, and the list has no word that nobody needs', () => {
    const unknown = findings(resolve('.'), WRITTEN, [])
      .join('\n')
      .matchAll(/Unknown word \((\w+)\)/g);
    const needed = new Set([...unknown].map(([, word = '']) => word.toLowerCase()));
    expect([...needed].sort()).toEqual(WORDS.map((word) => word.toLowerCase()).sort());
  });

  itInLongRuns('and would find a mistake, and a word that is not British', () => {
    writeFileSync(join(folder, 'wrong.md'), 'We recieve a color.');
    const found = findings(folder, ['wrong.md']).join();
    for (const word of ['recieve', 'color']) expect(found).toContain(`word (${word})`);
  });
});

describe('the words of our field', () => {
  it('are sorted', () => {
    expect(WORDS).toEqual(WORDS.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
  });
});
