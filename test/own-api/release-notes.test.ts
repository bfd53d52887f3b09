import { rmSync } from 'node:fs';
import { releaseNotes } from '@dateline/versions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBuild } from '../../src/api/build.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, next } from '../support/service/build-versions.ts';

const contract = (type: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: next },
    security: [],
    paths: {
      '/things': {
        get: {
          operationId: 'things',
          responses: {
            200: {
              description: 'All.',
              content: { 'application/json': { schema: { type: 'object', properties: { size: { type } } } } },
            },
          },
        },
      },
    },
  });

const CHANGE = `export const changes = [{
  name: 'writeSizesOut', kind: 'changed', summary: 'Sizes are texts.', why: 'They have units.', upgradeNote: 'Read a text.',
  touches: ['things.**'],
  examples: [{ before: null, after: null }],
  downgradeResponse: { things: (body) => ('size' in body ? { ...body, size: 1 } : body) },
}];`;

describe('release notes of an API folder', () => {
  const service = useTestFolder({
    contract: contract('string'),
    frozen: contract('integer'),
    config: { title: 'Things' },
    files: { [`contract/changes/${next}-to-${current}/index.mjs`]: CHANGE },
    upstream: (_request, response) => void response.end(),
  });

  it('[folder 50] tell what changed in the API from what changed in the platform, as a page and as text', async () => {
    for (const accept of ['text/html', 'text/markdown']) {
      const answer = await service.call('sandbox', `/versions/${next}/release-notes`, {
        headers: { accept },
      });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const [api, platform, own] = ['Things: changed', 'The platform: ', 'Sizes are texts.'].map((part) =>
        text.indexOf(part),
      );
      expect(api).toBeGreaterThan(0);
      // Its own come first, under their own heading.
      expect(own).toBeGreaterThan(api ?? 0);
      if (next === '2027-01') expect(platform).toBeGreaterThan(own ?? 0);
    }
  });

  it('[folder 50] say so of every change, and say nothing of it where there is no folder', async () => {
    const folder = copyOrdersFor();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const titles = async (path: string | null) =>
      releaseNotes(next, (await readBuild(path)).changeSets).groups.map(({ title }) => title);
    for (const title of await titles(folder)) expect(title).toMatch(/^(?:Orders|The platform): /);
    for (const title of await titles(null)) expect(['New', 'Changed', 'Removed']).toContain(title);
  });
});
