import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allKinds } from '../kinds/all-kinds.ts';
import { edited, lies } from './lies.ts';

describe('planted lies', () => {
  it.each(lies)('$name: applies to the sources as they are', ({ edits }) => {
    for (const edit of edits) {
      const text = readFileSync(edit.file, 'utf8');
      expect(edited(text, edit)).not.toBe(text);
    }
  });

  it.each(lies)('$name: is aimed at by kinds of faults that there are', ({ under }) => {
    for (const some of under)
      expect(
        allKinds.some(({ name }) => name.includes(some)),
        some,
      ).toBe(true);
  });
});
