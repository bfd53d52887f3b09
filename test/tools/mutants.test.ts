import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Mutation {
  operator: string;
  start: number;
  end: number;
  by: string;
}
interface Mutant {
  id: string;
  origin: string;
  file: string;
  operator: string;
  replace: string;
  by: string;
  equivalent?: string;
}
interface Calls {
  hash: string;
  ok: boolean;
  seconds: number;
  text: string;
  calls: Record<string, string[]>;
}

const tool = async <Exports>(name: string) =>
  (await import(`../../tools/mutants/${name}.mjs` as string)) as Exports;
const { mutationsOf } = await tool<{ mutationsOf(file: string, text: string): Mutation[] }>('operators');
const { mutated, readMutants, roomOf } = await tool<{
  mutated(text: string, mutant: Partial<Mutant>): string;
  readMutants(): Mutant[];
  roomOf(file: string): string;
}>('mutants');
const { draw } = await tool<{
  draw(texts: ReadonlyMap<string, string>, seed: number, count: number): Mutant[];
}>('draw');
const { coveringTests } = await tool<{
  coveringTests(
    place: { file: string; text: string; position: number; secondsMax: number },
    calls: ReadonlyMap<string, Calls>,
  ): string[];
}>('covering-tests');
const { report } = await tool<{ report(found: { mutant: Mutant; result?: object }[]): string }>('report');

/** The text as every mutation leaves it. */
function allMutated(text: string): string[] {
  return mutationsOf('a.ts', text).map(({ start, end, by }) => text.slice(0, start) + by + text.slice(end));
}

describe('a mutant', () => {
  it('of the table applies to the code as it is, each in one place', () => {
    const text = (file: string): string => readFileSync(file, 'utf8');
    for (const mutant of readMutants())
      expect(mutated(text(mutant.file), mutant)).not.toBe(text(mutant.file));
  });

  it.each([
    ['a comparison', 'x = a < b;', ['x = a <= b;']],
    ['a condition', 'y = a && b ? c : d;', ['y = !(a && b) ? c : d;', 'y = a || b ? c : d;']],
    ['an early end', 'if (a) throw b;', ['if (!(a)) throw b;', '{}']],
    ['a call for its effect', 'await a();', ['{}', 'void a();']],
    ['a number', 'x = 60;', ['x = 0;', 'x = 61;', 'x = 59;']],
    ['a boolean and a name', "x = [true, 'text/html'];", ["x = [false, 'text/html'];", "x = [true, ''];"]],
    ['a list inside of a function', 'const f = () => [a];', ['const f = () => [];']],
    ['a condition of a query', "q.where('a', '=', b).x;", ['q.x;', "q.where('', '=', b).x;"]],
  ])('changes %s', (_, text, expected) => {
    expect(allMutated(text)).toEqual(expected);
  });

  it('changes conditions of SQL, whole ones', () => {
    const sql = (rest: string): string => `x = \`select 1 from {schema}.t where ${rest}\`;`;
    expect(allMutated(sql("a = 'or and' and b < f(c and d) order by e"))).toEqual([
      sql("a = 'or and' and b <= f(c and d) order by e"),
      sql("(a = 'or and' or true) and b < f(c and d) order by e"),
      sql("a = 'or and' and (b < f(c and d) or true) order by e"),
    ]);
  });

  it('changes no type, no prose and no path', () => {
    expect(
      mutationsOf('a.ts', "import 'x'; type A = 1 | 'b' | true; const b = 'Not a name.' as 'c';"),
    ).toEqual([]);
  });

  it('that no longer applies is named', () => {
    const mutant = { id: '7-001', file: 'src/a.ts', replace: 'a < b', by: 'a <= $&b' };
    expect(mutated('x(a < b)', mutant)).toBe('x(a <= $&b)');
    expect(() => mutated('x(a > b)', mutant)).toThrow('Mutant 7-001 no longer applies: src/a.ts');
    expect(() => mutated('a < b, a < b', mutant)).toThrow('2 times');
  });
});

describe('drawing mutants', () => {
  const texts = new Map([
    ['src/one/a.ts', Array.from({ length: 40 }, (_, index) => `a${index}(${index} < b);\n`).join('')],
    ['src/http/edge/b.ts', 'if (a) throw b;\nx();\nif (a) throw b;\nx();\nlast();\n'],
  ]);

  it('gives the same ones for the same seed, some of every room, and each applies', () => {
    const drawn = draw(texts, 7, 10);
    expect(drawn).toEqual(draw(texts, 7, 10));
    const places = (seed: number): string[] => draw(texts, seed, 10).map(({ replace }) => replace);
    expect(places(7)).not.toEqual(places(8));
    expect(new Set(drawn.map(({ file }) => roomOf(file)))).toEqual(new Set(['one', 'http/edge']));
    expect(new Set(drawn.map(({ operator }) => operator)).size).toBeGreaterThan(2);
    for (const mutant of drawn)
      expect(mutated(texts.get(mutant.file) ?? '', mutant)).not.toBe(texts.get(mutant.file));
  });
});

describe('the tests of a mutant', () => {
  const file = 'src/oauth/tokens/store.ts';
  const text = 'const SQL = `x`; function reads() { return SQL; } export const other = () => 1;';
  const measured = (seconds: number, called: string[], words = '', ok = true): Calls => ({
    ...{ hash: '', ok, seconds, text: words },
    calls: { [file]: called },
  });
  const calls = new Map([
    ['test/far.test.ts', measured(1, ['reads'])],
    ['test/oauth/near.test.ts', measured(1, ['reads', 'other'])],
    ['test/oauth/slow.test.ts', measured(50, ['reads'], 'reads the sql store')],
    ['test/oauth/like.test.ts', measured(2, ['reads'], 'it reads')],
    ['test/oauth/failing.test.ts', measured(1, ['reads'], 'reads the store', false)],
    ['test/oauth/another.test.ts', measured(1, ['other'])],
  ]);
  const testsOf = (part: string, secondsMax: number): string[] =>
    coveringTests({ file, text, position: text.indexOf(part), secondsMax }, calls);

  it('are those that call its function, those first that are about it and short, as many as fit', () => {
    expect(testsOf('return SQL', 60)).toEqual([
      ...['test/oauth/like.test.ts', 'test/oauth/near.test.ts'],
      ...['test/oauth/slow.test.ts', 'test/far.test.ts'],
    ]);
    expect(testsOf('return SQL', 3)).toEqual(['test/oauth/like.test.ts', 'test/oauth/near.test.ts']);
    expect(testsOf('return SQL', 0)).toEqual(['test/oauth/near.test.ts']);
  });

  it('of a constant are those that call what uses it', () => {
    expect(testsOf('`x`', 60)).toContain('test/far.test.ts');
    expect(testsOf('`x`', 60)).not.toContain('test/oauth/another.test.ts');
  });
});

it('the table counts what is not equivalent, and names what survived', () => {
  const mutant = {
    id: '7-001',
    origin: 'seed 7',
    file: 'src/oauth/a.ts',
    operator: 'logic',
    replace: '',
    by: '',
  };
  const found = [
    { mutant, result: { verdict: 'killed', by: 'test', seconds: 3 } },
    { mutant: { ...mutant, id: '7-002' }, result: { verdict: 'survived', seconds: 9 } },
    { mutant: { ...mutant, id: '7-003', equivalent: 'It is.' } },
  ];
  expect(report(found)).toContain('| oauth | 3 | 1 | 1 | 0 | 0 | 1 | 50.0 % |');
  expect(report(found)).toContain('Survived: 7-002, logic in `src/oauth/a.ts`.');
});
