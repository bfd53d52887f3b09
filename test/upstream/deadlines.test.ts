import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadlines } from '../../src/upstream/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('deadlines', () => {
  it('ends each piece of work when its own span is over, in the order of their beginnings', () => {
    const { start } = createDeadlines(100);
    const ended: string[] = [];
    start(() => ended.push('first'));
    vi.advanceTimersByTime(60);
    start(() => ended.push('second'));
    vi.advanceTimersByTime(39);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(ended).toEqual(['first']);
    vi.advanceTimersByTime(57);
    expect(ended).toEqual(['first']);
    vi.advanceTimersByTime(3);
    expect(ended).toEqual(['first', 'second']);
  });

  it('leaves alone what was taken back, and ends what began after it in time', () => {
    const { start } = createDeadlines(100);
    const ended: string[] = [];
    const takeBack = start(() => ended.push('taken back'));
    vi.advanceTimersByTime(30);
    start(() => ended.push('later'));
    takeBack();
    vi.advanceTimersByTime(99);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(ended).toEqual(['later']);
  });

  it('has one timer for any number of calls, and none once all of them have ended', () => {
    const { start } = createDeadlines(100);
    const ends = Array.from({ length: 1_000 }, () => start(() => {}));
    expect(vi.getTimerCount()).toBe(1);
    for (const end of ends) end();
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
    start(() => {});
    expect(vi.getTimerCount()).toBe(1);
  });

  it('ends the others where the end of one begins another', () => {
    const { start } = createDeadlines(100);
    const ended: string[] = [];
    start(() => {
      ended.push('one');
      start(() => ended.push('again'));
    });
    start(() => ended.push('two'));
    vi.advanceTimersByTime(101);
    expect(ended).toEqual(['one', 'two']);
    vi.advanceTimersByTime(101);
    expect(ended).toEqual(['one', 'two', 'again']);
  });
});
