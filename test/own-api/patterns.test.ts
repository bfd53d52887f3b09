import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenApiDocument, slowPatterns } from '@dateline/versions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { reserved } from '../../src/api/compose/reserved.ts';
import { createFolderReader } from '../../src/api/folder/folder-contract.ts';
import { recordFolderTape } from '../../src/api/folder/freeze/folder-tape.ts';
import { asVersion, foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { readFrozenFiles, writeContract, writeTape } from '../../src/api/folder/freeze/frozen-files.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { readFolderSource } from '../../src/api/folder/read-folder-source.ts';
import { apiSource } from '../../src/contracts/api.ts';
import { edit } from '../support/folder/orders-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const contract = (pattern: string): string => `
openapi: 3.1.0
info: { title: Patterns, version: "${next}" }
security: []
paths:
  /codes:
    post:
      operationId: codes:send
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Code" } } }
      responses:
        "204": { description: Taken. }
components:
  schemas:
    Code: { type: object, required: [code], properties: { code: { type: string, pattern: "${pattern}", example: aaa } } }
`;

const SLOW = '^(a+)+$';
const CHANGE = `export const changes = [{
  name: 'simplifyCodes', kind: 'changed', summary: 'Codes are checked in another way.', why: 'It was slow.',
  upgradeNote: 'Nothing has to be done.', touches: ['codes:send.**'],
  examples: [{ before: { requestTo: 'POST /codes', body: { code: 'aaa' } }, after: { requestTo: 'POST /codes', body: { code: 'aaa' } } }],
}];
`;

describe('a pattern of an API folder that can take exponential time', () => {
  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-patterns-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    edit(folder, 'dateline.config.mjs', (text) => text.replace('open: []', "open: '*'"));
    writeFileSync(join(folder, 'contract/next.yaml'), contract('^a+$'));
    await foundAgain(folder);
    return folder;
  }
  const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);

  it('[outside2 7] [folder 46] is refused in Next by check and at the start, with its place', async () => {
    const folder = await newFolder();
    writeFileSync(join(folder, 'contract/next.yaml'), contract(SLOW));
    const { code, err } = await check(folder);
    const problem = `contract/next.yaml:16:81: /components/schemas/Code/properties/code/pattern: the pattern ${SLOW} can take exponential time`;
    expect([code, err]).toEqual([1, expect.stringContaining(problem)]);
    await expect(readApiFolder(folder, reserved())).rejects.toThrow(problem);
  });

  it('[folder 46] is warned about in a frozen version', async () => {
    const folder = await newFolder();
    const location = { root: folder, folder: 'contract/frozen' };
    for (const version of [deprecated, current])
      writeContract(location, version, asVersion(parse(contract(SLOW)), version));
    writeFileSync(join(folder, `contract/changes/${next}-to-${current}/index.mjs`), CHANGE);
    const source = await readFolderSource(
      folder,
      readFrozenFiles(location),
      createFolderReader({ open: '*' }),
    );
    for (const version of [deprecated, current]) writeTape(location, recordFolderTape(source, version));
    const { code, out, err } = await check(folder);
    expect([code, out]).toEqual([0, expect.stringContaining('unchanged')]);
    for (const version of [deprecated, current])
      expect(err).toContain(
        `Warning: contract/frozen/${version}/contract.json/components/schemas/Code/properties/code/pattern: ` +
          `the pattern ${SLOW} can take exponential time; it is matched in linear time.`,
      );
  });

  it('[outside2 7] [folder 46] is none of ours', () => {
    const documents: readonly OpenApiDocument[] = apiSource().documents;
    expect(documents.length).toBeGreaterThan(2);
    expect(documents.flatMap(slowPatterns)).toEqual([]);
  });
});
