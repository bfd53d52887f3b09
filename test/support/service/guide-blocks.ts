import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const GUIDES = resolve('docs', 'guides');

/** A fenced block: its language, what stands behind that, and its text. */
export interface GuideBlock {
  language: string;
  words: string;
  text: string;
}

export function blocksOf(guide: string): GuideBlock[] {
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  return [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', words = '', block = '']) => ({ language, words, text: block }),
  );
}
