import { describe, expect, it } from 'vitest';
import { createPlaceholders } from './placeholders.ts';

const startedAt = new Date('2026-11-15T12:00:00.000Z');
const id = (prefix: string, letter: string) => `${prefix}_${letter.repeat(22)}`;

describe('placeholders', () => {
  it('give the same value the same name, wherever it stands', () => {
    const { mask } = createPlaceholders(startedAt);
    const [one, other] = [id('prd', 'a'), id('prd', 'b')];
    expect(mask({ items: [one, other], next: one, at: `/v1/products/${other}/archive` })).toEqual({
      items: ['{{prd 1}}', '{{prd 2}}'],
      next: '{{prd 1}}',
      at: '/v1/products/{{prd 2}}/archive',
    });
  });

  it('replace secrets of every kind', () => {
    const { mask } = createPlaceholders(startedAt);
    expect(mask([id('dl_test_at', 'x'), id('whsec', 'y+/')])).toEqual(['{{dl_test_at 1}}', '{{whsec 1}}']);
  });

  it('name digests, and keep values that only requests may name', () => {
    const { give, mask, fill } = createPlaceholders(startedAt);
    give('version', '2026-10');
    expect(fill('{{version}}')).toBe('2026-10');
    expect(mask(['2026-10', 'a'.repeat(64)])).toEqual(['2026-10', '{{sha256 1}}']);
  });

  it('use the given name, in answers and in requests', () => {
    const { name, mask, fill } = createPlaceholders(startedAt);
    name('product', id('prd', 'a'));
    expect(mask({ id: id('prd', 'a') })).toEqual({ id: '{{product}}' });
    expect(fill({ path: '/v1/products/{{product}}' })).toEqual({ path: `/v1/products/${id('prd', 'a')}` });
    expect(() => fill('{{order}}')).toThrow('nothing before it has saved {{order}}');
  });

  it('express times relative to the start, also in seconds, and leave others unchanged', () => {
    const { mask } = createPlaceholders(startedAt);
    expect(mask('2026-11-15T12:01:00.500Z')).toBe('{{start+60.5s}}');
    expect(mask('2026-11-15T11:59:00.000Z')).toBe('{{start-60s}}');
    expect(mask(startedAt.getTime() / 1000 + 3600)).toBe('{{start+3600s}} in seconds');
    for (const kept of ['2020-01-01T00:00:00.000Z', '2026-11-15T12:00:00Z', 4900, 'Support plan'])
      expect(mask(kept)).toBe(kept);
  });
});
