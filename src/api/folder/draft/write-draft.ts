import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiStep, Draft } from '@dateline/versions';
import { CHANGES_FOLDER, MODULE_EXTENSIONS } from '../folder-files.ts';
import { findModule } from '../modules/find-module.ts';

export interface WrittenDraft {
  /** Relative to the folder. */
  file: string;
  /** Null where the list of changes has the new file already. */
  remedy: { file: string; lines: readonly string[] } | null;
}

/** Writes drafts into a module of their own, beside the changes of their step. No file is touched that is there. */
export function writeDraft(
  folder: string,
  { older, newer }: ApiStep,
  drafts: readonly Draft[],
): WrittenDraft {
  const step = `${CHANGES_FOLDER}/${newer.version}-to-${older.version}`;
  mkdirSync(join(folder, step), { recursive: true });
  const index = findModule(folder, `${step}/index`, MODULE_EXTENSIONS);
  const extension = index?.endsWith('ts') ? 'ts' : 'mjs';
  const name = freeName(join(folder, step), extension);
  writeFileSync(join(folder, step, name), moduleOf(drafts), { flag: 'wx' });
  const file = `${step}/${name}`;
  const lines = [`import { changes as drafted } from './${name}';`, 'export const changes = [...drafted];'];
  if (index) {
    const own = readFileSync(join(folder, index), 'utf8').includes('drafted') ? 'again' : '';
    const names = [
      lines[0]?.replace('drafted', `drafted${own}`) ?? '',
      `...drafted${own}, in the list of changes`,
    ];
    return { file, remedy: { file: index, lines: names } };
  }
  writeFileSync(join(folder, step, 'index.mjs'), `${lines.join('\n')}\n`, { flag: 'wx' });
  return { file, remedy: null };
}

function freeName(folder: string, extension: string): string {
  for (let count = 1; ; count++) {
    const name = `drafted${count === 1 ? '' : `-${count}`}.${extension}`;
    if (!existsSync(join(folder, name))) return name;
  }
}

const WORDS = ['at', 'event', 'operation', 'schema', 'undecided'];

function moduleOf(drafts: readonly Draft[]): string {
  const used = WORDS.filter((word) =>
    drafts.some(({ code }) => new RegExp(`(?<![\\w.'])${word}\\(`).test(code)),
  );
  return [
    `import { ${used.join(', ')} } from '@dateline/versions';`,
    '',
    '// Drafted by "dateline contract draft". Replace each undecided(…) by the answer to its question, and add words for the release',
    "// notes where you have better ones: .added({ summary: '…', why: '…' }).",
    'export const changes = [',
    ...drafts.map(({ code }) => `  ${code},`),
    '];',
    '',
  ].join('\n');
}
