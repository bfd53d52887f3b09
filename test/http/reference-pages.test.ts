import { readFileSync } from 'node:fs';
import { releaseInstant } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { clientCall } from '../../src/contracts/client-calls.ts';
import { readReference } from '../../src/http/site/reference/read-reference.ts';
import { typeText } from '../../src/http/site/reference/schema-fields.ts';
import { documentOf, operationsIn } from '../support/contracts/served-documents.ts';
import { anyEngine } from '../support/database/databases.ts';
import {
  afterNext,
  current,
  deprecated,
  maintained,
  next,
  removed,
} from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('pages for people', () => {
  const service = useTestService(anyEngine);
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.call('sandbox', path, { headers, redirect: 'manual' });
  const browse = (path: string) => get(path, { accept: BROWSER });
  const pageOf = async (path: string): Promise<string> => (await browse(path)).text();
  const dayOf = (version: typeof next): string =>
    releaseInstant(version).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

  /** What a page loads or fetches: only paths of this service. */
  const loadsOf = (page: string): string[] =>
    [...page.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g)].map(([, href]) => href as string);

  describe('/', () => {
    it('[outside 24] is a page in a browser: what this is, the versions, the reference; and JSON for programs', async () => {
      const response = await browse('/');
      const page = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page).toContain('<h1>A sandbox of an API</h1>');
      const production = await service.call('production', '/', { headers: { accept: BROWSER } });
      expect(await production.text()).toContain('<h1>An API</h1>');
      expect(page).toContain('an OAuth 2.0 token service with a dated API contract');
      for (const version of maintained) expect(page).toContain(`href="/docs/${version}"`);
      const links = [...page.matchAll(/<a[^>]*href="(\/[^"#]*)"/g)].map(([, href]) => href as string);
      expect(links).toContain('/versions');
      for (const link of new Set(links))
        expect([link, (await browse(link)).status < 400]).toEqual([link, true]);
      expect(await (await get('/')).json()).toEqual({
        name: 'Dateline',
        environment: 'sandbox',
        current,
        versions: '/versions',
        reference: `/docs/${current}`,
      });
      expect((await service.call('sandbox', '/', { method: 'POST' })).status).toBe(405);
    });
  });

  describe('/docs', () => {
    it('redirects to the reference of Current', async () => {
      const response = await get('/docs');
      expect([response.status, response.headers.get('location')]).toEqual([302, `/docs/${current}`]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      [deprecated, `<strong>Deprecated.</strong> ${deprecated} is removed on `, dayOf(next)],
      [current, `<strong>Current.</strong> ${current} is stable.`, dayOf(afterNext)],
      [next, `<strong>Next: in development.</strong> ${next} may change at any time.`, dayOf(next)],
    ])('has a page for %s with its state and the end of that state', async (version, mark, day) => {
      const response = await browse(`/docs/${version}`);
      const page = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(page).toContain(mark);
      expect(/<p class="mark[\s\S]*?<\/p>/.exec(page)?.[0]).toContain(day);
      expect(page).toContain(`href="/versions/${version}/openapi.json"`);
      expect(page).toContain(`href="/versions/${version}/release-notes"`);
    });

    it('links the three maintained versions, and marks the one that is shown', async () => {
      const [links = ''] = /<nav class="switch"[\s\S]*?<\/nav>/.exec(await pageOf(`/docs/${next}`)) ?? [];
      const shown = [...links.matchAll(/href="([^"]*)"( aria-current="page")?>\S+ <span[^>]*>(\w+)/g)];
      expect(shown.map(([, href, mark, state]) => [href, mark !== undefined, state])).toEqual([
        [`/docs/${deprecated}`, false, 'Deprecated'],
        [`/docs/${current}`, false, 'Current'],
        [`/docs/${next}`, true, 'Next'],
      ]);
    });

    it.each([removed, afterNext, '2020-13', 'latest', '%3Cscript%3E'])(
      'answers 404 to %s',
      async (version) => {
        const forPrograms = await get(`/docs/${version}`);
        expect([forPrograms.status, await forPrograms.json()]).toMatchObject([404, { error: 'not_found' }]);
        const forPeople = await browse(`/docs/${version}`);
        expect([forPeople.status, forPeople.headers.get('content-type')]).toEqual([
          404,
          'text/html; charset=utf-8',
        ]);
        const page = await forPeople.text();
        expect(page).toContain(`href="/docs/${current}"`);
        expect(page).not.toContain('<script');
      },
    );

    it('enables calls in the sandbox only', async () => {
      expect(await pageOf(`/docs/${current}`)).toContain('<form class="try"');
      const production = await (await service.call('production', `/docs/${current}`)).text();
      expect(production).toContain('Create a product');
      expect(production).not.toContain('<form');
    });

    it('answers how to get a token, and says of every operation what it means, without a script', async () => {
      const page = await pageOf(`/docs/${next}`);
      expect(page).toMatch(
        /<h2>Get a token<\/h2>\s*<p>[\s\S]*?<pre><code>curl [\s\S]*?grant_type=client_credentials/,
      );
      for (const { id, summary, description } of operationsIn(documentOf(next))) {
        const place = page.slice(page.indexOf(`id="${id.replaceAll(':', '-')}"`));
        expect(place.slice(0, 2_000), id).toContain(String(summary));
        expect(place.slice(0, 3_000), id).toContain(description.split(/[.`’]/)[0]);
      }
      // Errors are told with their codes.
      expect(page).toContain('<code>invalid_grant</code>: The token or code is not valid for this request.');
    });
  });

  it('show a group of operations that has any, and no other', () => {
    const document = documentOf(current);
    const tags = document.tags as readonly { name: string }[];
    const setting = { url: '', version: current, tokenName: '', callOf: clientCall };
    const { groups } = readReference({ ...document, tags: [{ name: 'of nothing' }, ...tags] }, setting);
    expect(groups).not.toEqual([]);
    expect(groups.filter(({ operations }) => operations.length === 0)).toEqual([]);
  });

  it.each([
    [{ type: 'string', minLength: 3, maxLength: 200 }, 'text of 3 to 200 characters'],
    [{ type: 'string', minLength: 0, maxLength: 200 }, 'text of at most 200 characters'],
    [{ type: 'string', minLength: 1 }, 'text, not empty'],
    [{ type: 'string', minLength: 2 }, 'text of at least 2 characters'],
    [{ type: 'integer', minimum: 0, maximum: 9 }, 'whole number of 0 to 9'],
    [{ type: 'array', minItems: 1, maxItems: 5, items: {} }, 'list of 1 to 5 items of: any value'],
  ])('describe %j as "%s"', (schema, text) => {
    expect(typeText(schema)).toBe(text);
  });

  it.each([`/docs/${current}`, '/versions', `/versions/${next}/release-notes`, '/docs/none'])(
    'forbid all but our own origin, frames and inline scripts: %s',
    async (path) => {
      const { headers } = await browse(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        'nosniff',
        'no-referrer',
      ]);
    },
  );

  it('load only files of this service', async () => {
    const paths = ['/versions', `/docs/${next}`, `/versions/${next}/release-notes`];
    const loads = new Set((await Promise.all(paths.map(pageOf))).flatMap(loadsOf));
    expect(loads.size).toBe(4);
    for (const path of loads) {
      expect(path).toMatch(/^\/[^/]/);
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(await response.text()).not.toMatch(/@import|@font-face/);
    }
  });

  describe('their assets', () => {
    const script = async (): Promise<string> =>
      loadsOf(await pageOf(`/docs/${current}`)).find((path) => path.endsWith('.js')) as string;
    const original = readFileSync('src/http/site/assets/reference.js');

    it.each([
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip;q=0.5, br;q=0.1', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['*', 'br'],
      ['identity', null],
      ['identity, gzip;q=0.5', null],
      ['gzip;q=0, br;q=0', null],
      ['zstd', null],
    ])('for Accept-Encoding "%s" come as %s, with equal contents', async (accepted, encoding) => {
      const response = await get(await script(), { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('Service-Version, Accept-Encoding');
      expect(Buffer.from(await response.arrayBuffer()).equals(original)).toBe(true);
    });

    it('may be cached for a year under the hash of their contents, and not under another name', async () => {
      const path = await script();
      expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const otherBuild = path.replace(/\/assets\/\w+\//, '/assets/0000000000000000/');
      const response = await get(otherBuild);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    });

    it('answer 304 to a client that has them in the same encoding', async () => {
      const path = await script();
      const tag = (await get(path, { 'accept-encoding': 'br' })).headers.get('etag') ?? '';
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await get(path, { 'accept-encoding': 'gzip', 'if-none-match': tag })).status).toBe(200);
    });

    it.each(['package.json', '..%2F..%2F..%2Fpackage.json', '__proto__', 'constructor'])(
      'are no others: %s',
      async (name) => {
        expect((await get(`/assets/0/${name}`)).status).toBe(404);
      },
    );
  });

  describe('/versions', () => {
    it('answers programs with the versions, their states and how to upgrade', async () => {
      const response = await get('/versions');
      expect(response.headers.get('vary')).toBe('Service-Version, Accept');
      const body = (await response.json()) as {
        versions: { reference: string }[];
        upgrade_procedure: string[];
      };
      expect(body).toMatchObject({
        current,
        guidance: {
          current: expect.stringMatching(/^New integrations use Current/),
          deprecated: expect.stringMatching(/existing integrations/),
          next: expect.stringMatching(/testing upcoming features/),
        },
      });
      expect(body.upgrade_procedure).toHaveLength(5);
      expect(body.versions.map(({ reference }) => reference)).toEqual(
        maintained.map((version) => `/docs/${version}`),
      );
    });

    it('shows people the same on a page', async () => {
      const response = await browse('/versions');
      expect(response.headers.get('vary')).toBe('Service-Version, Accept');
      const page = await response.text();
      const body = (await (await get('/versions')).json()) as {
        guidance: Record<string, string>;
        upgrade_procedure: string[];
      };
      for (const text of [...Object.values(body.guidance), ...body.upgrade_procedure])
        expect(page).toContain(text);
      const rows = [...page.matchAll(/<th scope="row">(\S+)<\/th><td><span[^>]*>(\w+)/g)];
      expect(rows.map(([, version, state]) => [version, state])).toEqual([
        [deprecated, 'Deprecated'],
        [current, 'Current'],
        [next, 'Next'],
      ]);
    });

    it.each([
      ['*/*', 'application/json'],
      ['application/json, text/plain, */*', 'application/json'],
      ['application/json, text/html;q=0.9', 'application/json'],
      ['text/html;q=0, */*', 'application/json'],
      ['image/png', 'application/json'],
      ['text/html', 'text/html'],
      ['text/*, application/json;q=0.5', 'text/html'],
      [BROWSER, 'text/html'],
    ])('answers "%s" with %s', async (accept, type) => {
      expect((await get('/versions', { accept })).headers.get('content-type')).toContain(type);
    });

    it('marks a rehearsed release on the page', async () => {
      await service.operate('sandbox', '/operator/release/run', { method: 'POST', body: {} });
      service.clock.advanceSeconds(10);
      await expect.poll(() => pageOf('/versions')).toContain(`This is a rehearsal: ${next} is not released.`);
      expect(await pageOf(`/docs/${next}`)).toContain('This is a rehearsal');
      expect((await get('/docs')).headers.get('location')).toBe(`/docs/${next}`);
      expect((await get(`/docs/${deprecated}`)).status).toBe(404);
      await service.operate('sandbox', '/operator/release/undo', { method: 'POST', body: {} });
      service.clock.advanceSeconds(10);
      await expect.poll(() => pageOf('/versions')).not.toContain('rehearsal');
    });
  });

  describe('release notes', () => {
    // A new Next begins without changes; after quarters without any, there are none at all.
    const { newer, older, changes } = apiSource().changeSets.findLast(
      (set) => set.changes.length > 0 && set.newer <= next,
    ) ?? { newer: next, older: current, changes: [] };
    const path = `/versions/${newer}/release-notes`;

    it('are Markdown for programs, grouped, with reasons, advice and examples', async () => {
      const response = await get(path);
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(response.headers.get('vary')).toBe('Service-Version, Accept, Accept-Encoding');
      const text = await response.text();
      const isChanged = changes.length > 0;
      expect(text).toContain(`# ${newer}\n\n${isChanged ? 'What' : 'Nothing'} changed since ${older}.`);
      const groups = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      expect(['New', 'Changed', 'Removed'].filter((title) => groups.includes(title))).toEqual(groups);
      expect(groups.length > 0).toBe(isChanged);
      for (const section of text.split(/^### /m).slice(1)) {
        expect(section).toMatch(/^Why: \S/m);
        expect(section).toMatch(/^To upgrade: \S/m);
        expect(section).toMatch(/^Before[,:][\s\S]*^After[,:]/m);
      }
    });

    it('are a page for people, with the same changes', async () => {
      const titles = [...(await (await get(path)).text()).matchAll(/^### (.*)$/gm)].map(([, title]) => title);
      const page = await pageOf(path);
      const onPage = [...page.matchAll(/<h3><a [^>]*>([^<]*)/g)].map(([, title]) => title);
      expect(onPage).toEqual(titles);
      const shownBefore = page.match(/<figcaption><strong>Before/g) ?? [];
      expect(shownBefore.length).toBeGreaterThanOrEqual(titles.length);
    });

    it('of a version that is not maintained are 404', async () => {
      expect((await get(`/versions/${removed}/release-notes`)).status).toBe(404);
      expect((await browse(`/versions/${removed}/release-notes`)).status).toBe(404);
    });
  });
});
