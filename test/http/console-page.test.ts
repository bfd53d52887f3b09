import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('the page of the console', () => {
  const service = useTestService(anyEngine);
  const read = async (path: string) => {
    const response = await service.call('sandbox', path, { headers: { accept: '*/*' } });
    const { status, headers } = response;
    return answered({ status, headers, text: await response.text() }, response.url);
  };
  const namesIn = (text: string, kind: string): string[] =>
    [...text.matchAll(new RegExp(`assets/[\\w-]+\\.${kind}`, 'g'))].map(([name]) => `/console/${name}`);

  it('[console] is one page for every address below it, and neither stored nor framed', async () => {
    const first = await read('/console');
    expect(first.status).toBe(200);
    expect((await read('/console/clients/cli_1')).text).toBe(first.text);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toMatch(/https?:/);
    expect(first.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('[console] loads files that never change under their name, 80 kB of script at most', async () => {
    const { text } = await read('/console');
    const [main = ''] = namesIn(text, 'js');
    const script = await read(main);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toContain('javascript');
    const chunks = await Promise.all([...new Set(namesIn(script.text, 'js'))].map(read));
    expect(chunks.map(({ status }) => status)).toEqual(chunks.map(() => 200));
    const bytes = [script, ...chunks].reduce((sum, { text }) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeLessThanOrEqual(80_000);
    for (const style of namesIn(text, 'css')) expect((await read(style)).status).toBe(200);
    expect((await read('/console/assets/none.js')).status).toBe(404);
  });
});
