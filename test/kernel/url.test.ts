import { expect, it } from 'vitest';
import { urlOf } from '../../src/kernel/url.ts';

it('a URL with letters beyond ASCII is read the same way at the first call and after many', () => {
  const hrefs = Array.from({ length: 50_000 }, () => urlOf('https://bücher.example.com/')?.href);
  expect(new Set(hrefs)).toEqual(new Set(['https://xn--bcher-kva.example.com/']));
});

it.each(['', 'bücher.example.com', '//example.com', 'https://'])('%j is no absolute URL', (text) => {
  expect(urlOf(text)).toBeNull();
});
