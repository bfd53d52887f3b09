import { afterEach, expect } from 'vitest';
import { takeUnseen } from './answered.ts';

/** For every test: see `answered`. Hooks of the first file run last, so that what a suite clears away is looked at too. */
afterEach(() => {
  expect(takeUnseen()).toEqual([]);
});
