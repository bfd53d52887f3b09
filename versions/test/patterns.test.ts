import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearPattern, TRIED_LENGTH_MAX } from '../src/schema/patterns/linear-pattern.ts';
import { isExponential } from '../src/schema/patterns/pattern-judge.ts';
import { validator } from '../src/schema/validator.ts';

/** Each takes JavaScript more than a lifetime for some text of a hundred characters. */
const exponential = [
  ...['^(a+)+$', '^(a|a)*$', '^(\\d+)*$', '^(x+x+)+y$', '^(?:a|b|ab)*$', '^(a|b|[ab])+$', '^(aa|aaa)*$'],
  ...['^(\\w+\\s?)*$', '^(([^/]+/?)+)$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(?:(?:\\w+)(?:,\\w+)*;?)*$'],
  ...['^(\\w+\\d+)+$', '^(.*a){12}$', '^(a{1,20}){1,20}$', '^((a{1,5}){1,5})+$', '^(a?){30}a{30}$'],
  ...['^(\\p{L}|[a-z])*$', '^(a|\\x61)*$', '^(?=(a+)+$)', '^(a+)+\\1$', '^(.|\\n)*(.|[^b])*x$'],
];

/** Ordinary ones, some of which look like those above. */
const harmless = [
  ...['^[a-z]+(-[a-z]+)*$', '^[^@]+@[^@]+\\.[^@]+$', '^\\s*(.*)\\s*$', '^[A-Za-z0-9_-]{1,64}$', 'foo.*bar'],
  ...['^([a-z0-9]+(-[a-z0-9]+)*\\.)+[a-z]{2,}$', '^(?=.*[A-Z])(?=.*\\d).{8,}$', '^\\+?[1-9]\\d{1,14}$'],
  ...['^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', '^\\p{L}+( \\p{L}+)*$', '^(a?)*$'],
  ...[
    '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
    '^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$',
    '^(?:[^"]|"")*$',
    '^(ab?)*(ba?)*$',
  ],
  ...[
    '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
    '^(\\/[^\\/]+)+$',
    '^(AED|AFN|ALL)(,(AED|AFN))*$',
  ],
  '^("[^"]*"|[^",]+)(,("[^"]*"|[^",]+))*$',
  '^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.[0-9a-zA-Z-]+)*))?$',
];

describe('patterns', () => {
  it.each(exponential)(
    '[outside2 7] [folder 46] are told from others where they can take exponential time: %s',
    (pattern) => {
      expect(isExponential(pattern)).toBe(true);
    },
  );

  it.each(harmless)('[folder 46] are left alone where they cannot: %s', (pattern) => {
    expect(isExponential(pattern)).toBe(false);
  });

  it('[folder 46] match in linear time what they match in JavaScript', () => {
    const others = [
      '(^a|b$)+',
      '\\b(ab|b)+\\b',
      '\\B(a|b)',
      '^(\\u{1F600}|a)+$',
      '^(\\s|\\S)+$',
      '',
      '^(?:a*?b+?)*c$',
      '^(a{2,3}){1,2}$',
    ];
    const small = [
      ...exponential.filter((one) => !/\(\?=|\\1|\{\d+,?\d*\}/.test(one)),
      ...harmless.slice(0, 5),
      ...others,
    ];
    const piece = fc.constantFrom(
      'a',
      'b',
      'ab',
      'x',
      'y',
      'c',
      ' ',
      '\n',
      '\u2028',
      'é',
      '😀',
      ',',
      ';',
      '1',
      '_',
      '/',
      'Z',
      '-',
      '@',
      '.',
    );
    const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
    for (const pattern of small) {
      const [ours, theirs] = [new LinearPattern(pattern), new RegExp(pattern, 'u')];
      fc.assert(
        fc.property(text, (value) => ours.test(value) === theirs.test(value)),
        { numRuns: 200, seed: 46 },
      );
    }
  });

  it('[outside2 7] [folder 46] cost a request no more than a plain one, whatever it holds', () => {
    const check = validator({
      type: 'object',
      properties: {
        code: { type: 'string', pattern: '^(a+)+$' },
        looked: { type: 'string', pattern: '^(?!b)(a+)+$' },
        named: {
          type: 'object',
          patternProperties: { '^(a+)+$': { type: 'integer' } },
          additionalProperties: false,
        },
      },
    });
    // Enough for some tenths of a second where it is matched as JavaScript does it, which is ten thousand times the plain one.
    const [attack, plain] = [`${'a'.repeat(24)}!`, `${'ab'.repeat(12)}!`];
    for (const holding of [
      (text: string) => ({ code: text }),
      (text: string) => ({ looked: text }),
      (text: string) => ({ named: { [text]: 1 } }),
    ]) {
      expect(check(holding(attack))).not.toEqual([]);
      expect(bestMs(() => check(holding(attack))) / bestMs(() => check(holding(plain)))).toBeLessThan(500);
    }
    expect(check({ code: 'a'.repeat(50), looked: 'aa', named: { aa: 1 } })).toEqual([]);
    expect(check({ named: { aa: 'x' } })).not.toEqual([]);
    expect(check({ looked: 'a'.repeat(TRIED_LENGTH_MAX) })).toEqual([]);
    expect(check({ looked: 'a'.repeat(TRIED_LENGTH_MAX + 1) })).not.toEqual([]);
  });
});

/** The least of some rounds: whatever else the machine does makes one longer, and never shorter. */
function bestMs(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
