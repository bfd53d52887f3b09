import { describe, expect, it } from 'vitest';

interface Counts {
  filesPerFolder(files: readonly string[]): Map<string, number>;
  countAssertions(file: string, text: string): number;
  importGraph(texts: ReadonlyMap<string, string>): Map<string, string[]>;
  circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][];
  countDocComments(file: string, text: string): { all: number; pronouns: number };
  countLines(text: string): number;
}

const counts = (await import('../../tools/house/counts.mjs' as string)) as Counts;

describe('tools/house.mjs', () => {
  it('counts the files of a folder, those in its folders aside', () => {
    const found = counts.filesPerFolder(['a/x.ts', 'a/y.ts', 'a/b/z.sql']);
    expect([...found]).toEqual([
      ['a', 2],
      ['a/b', 1],
    ]);
  });

  it('counts type assertions, wherever they stand and however they are written', () => {
    const text = `
      import { one as other } from './x.ts';
      const a = b as unknown as string, c = <number>d;
      const e = [\`\${f as string}\`] as const, g = { h: 'as string' } satisfies object; // i as string
      export { other as default };`;
    expect(counts.countAssertions('a.ts', text)).toBe(4);
    expect(
      counts.countAssertions('a.tsx', 'const a = <p title="as string">{b as string} as string</p>;'),
    ).toBe(1);
  });

  it('finds circles of imports, those of types and of late imports included', () => {
    const texts = new Map([
      ['src/a.ts', "import type { B } from './b/b.ts';"],
      ['src/b/b.ts', "export * from './c.ts'; import { x } from 'x';"],
      ['src/b/c.ts', "export const a = () => import('../a.ts');"],
      ['src/d.ts', "import './a.ts'; type E = import('./e.ts').E;"],
      ['src/e.ts', "import type { D } from './d.ts';"],
      ['src/f.ts', "import './a.ts'; import './e.ts';"],
    ]);
    expect(counts.circlesIn(counts.importGraph(texts))).toEqual([
      ['src/a.ts', 'src/b/b.ts', 'src/b/c.ts'],
      ['src/d.ts', 'src/e.ts'],
    ]);
  });

  it('counts doc comments, and those that begin with a pronoun', () => {
    const text = `
      /** What it is. */ const a = 1;
      /**
       * Those who may.
       */
      const b = 2;
      /** Allowed, however. */ const c = '/** Whether it counts. */';
      /* What is no doc comment. */ // How`;
    expect(counts.countDocComments('a.ts', text)).toEqual({ all: 3, pronouns: 2 });
  });

  it('counts lines as wc does, and a last one that has no end', () => {
    expect(['', 'a\n', 'a\n\nb\n', 'a\nb'].map(counts.countLines)).toEqual([0, 1, 3, 2]);
  });
});
