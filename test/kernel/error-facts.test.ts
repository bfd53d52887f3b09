import { describe, expect, it } from 'vitest';
import { errorCode } from '../../src/kernel/error-facts.ts';

describe('the code of an error', () => {
  it.each([
    ['of Node', Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'ENOENT'],
    ['without one', new Error('none'), undefined],
    ['whose code is a number', { code: 404 }, undefined],
    ['that is null', null, undefined],
    ['that is a text', 'ENOENT', undefined],
  ])('%s', (_what, thrown, code) => {
    expect(errorCode(thrown)).toBe(code);
  });
});
