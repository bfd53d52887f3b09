import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const RETIRED = 'test/cases/retired.md';

/**
 * Deletes a folder of tests, and writes down the numbered cases that no other test shows: `npm run cases` then knows
 * why they have none.
 */
export function retireCases(folder, why) {
  if (!existsSync(folder)) return;
  const shown = casesIn(folder);
  rmSync(folder, { recursive: true });
  const left = casesIn('test');
  const retired = [...shown].filter((name) => !left.has(name)).sort(byNumber);
  appendFileSync(RETIRED, retired.map((name) => `- ${name}: ${why}\n`).join(''));
}

function casesIn(folder) {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\[(\w+ \d+)\]/g)].map(([, name]) => name)));
}

function byNumber(one, other) {
  return Number(one.split(' ')[1]) - Number(other.split(' ')[1]);
}
