import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createUnderWay, type UnderWay } from '../../src/outbound/under-way.ts';

const itemsOf = <Item>(underWay: UnderWay<Item>): Item[] => underWay.all().map(({ item }) => item);

describe('what is under way', () => {
  it('is listed in the order in which it began, whichever ends first', () => {
    const underWay = createUnderWay<string>();
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((item) => underWay.begin(item));
    expect(underWay.first()).toBe('one');
    two?.end();
    expect(itemsOf(underWay)).toEqual(['one', 'three', 'four']);
    one?.end();
    expect(underWay.first()).toBe('three');
    four?.end();
    underWay.begin('five');
    expect(itemsOf(underWay)).toEqual(['three', 'five']);
    three?.end();
    expect(itemsOf(underWay)).toEqual(['five']);
  });

  it('is empty when all has ended, and can begin again', () => {
    const underWay = createUnderWay<string>();
    underWay.begin('one').end();
    expect([underWay.first(), underWay.all()]).toEqual([undefined, []]);
    underWay.begin('two');
    expect(itemsOf(underWay)).toEqual(['two']);
  });

  it('ends once: the second time takes nothing else out', () => {
    const underWay = createUnderWay<string>();
    const [one, two] = ['one', 'two', 'three'].map((item) => underWay.begin(item));
    two?.end();
    two?.end();
    one?.end();
    two?.end();
    expect(itemsOf(underWay)).toEqual(['three']);
  });

  it('lets all of a list end while it is read', () => {
    const underWay = createUnderWay<number>();
    for (let item = 0; item < 5; item++) underWay.begin(item);
    for (const begun of underWay.all()) begun.end();
    expect(underWay.all()).toEqual([]);
  });

  it('is garbage once it has ended, for collections of young objects too', () => {
    setFlagsFromString('--expose-gc');
    const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');
    const underWay = createUnderWay<number[]>();
    const begin = () => underWay.begin(new Array<number>(1_000).fill(0.5));
    let begun = Array.from({ length: 64 }, begin);
    // All that lives is old from here on, as in a service that has run for a while.
    collect();
    const before = oldBytes();
    for (let round = 0; round < 200; round++) {
      begun = begun.map((one) => {
        one.end();
        return begin();
      });
      collect({ type: 'minor' });
    }
    expect(oldBytes() - before).toBeLessThan(10 * 2 ** 20);
  });
});

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name.startsWith('old_'));
  return spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}
