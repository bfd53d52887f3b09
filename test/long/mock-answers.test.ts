import type { CompiledOperation, Operation, UpgradableRequest } from '@dateline/versions';
import { afterAll, describe, expect, it } from 'vitest';
import { reserved } from '../../src/api/compose/reserved.ts';
import { createHeadOf } from '../../src/api/folder/head-of.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { createAnswerReader } from '../../src/http/api/forwarding/forwarded-answers.ts';
import { createMockAnswers } from '../../src/http/api/forwarding/mock/create-mock.ts';
import { createStatedAnswers } from '../../src/http/api/forwarding/mock/stated-answers.ts';
import { editedDocument } from '../support/documents/edited-document.ts';
import { loadDocument, realDocuments } from '../support/documents/real-documents.ts';
import { decisionsOf, folderOf } from '../support/documents/real-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';

const tally = new Map<string, { operations: number; answered: number; 'no sample': number }>();
const asked: UpgradableRequest = { params: {}, query: {}, headers: {}, body: {}, command: {} };

describe.skipIf(realDocuments === null)('the mock of a public document', () => {
  afterAll(() => console.table(Object.fromEntries(tally)));

  it.each(realDocuments ?? [])(
    '$name: what it answers fits its contract, and those of older versions after their changes',
    async (real) => {
      const document = await loadDocument(real);
      const { next: edited, modules } = editedDocument(document);
      const folder = await folderOf(document, edited, modules, decisionsOf(document));
      const { upstreamApi } = await readApiFolder(folder, reserved());
      const headOf = createHeadOf(upstreamApi);
      const mock = createMockAnswers(createStatedAnswers(upstreamApi));
      const counts = { operations: 0, answered: 0, 'no sample': 0 };
      const wrong: string[] = [];
      for (const version of [deprecated, current, next])
        for (const compiled of upstreamApi.get(version)?.operations.values() ?? []) {
          counts.operations += 1;
          const outcome = problemOf(compiled, headOf(compiled).operation, mock);
          if (outcome === null) counts.answered += 1;
          else if (outcome instanceof ApiError && outcome.code === 'mock_not_possible')
            counts['no sample'] += 1;
          else wrong.push(`${version} ${compiled.operation.id}: ${text(outcome)}`);
        }
      tally.set(real.name, counts);
      expect(wrong).toEqual([]);
      expect(counts.answered).toBeGreaterThan(0);
    },
  );
});

function problemOf(
  compiled: CompiledOperation,
  head: Operation,
  mock: ReturnType<typeof createMockAnswers>,
): unknown {
  const read = createAnswerReader({ compiled, head, isStrict: true, onViolation() {} });
  try {
    read(mock(head, { params: {}, preferred: null }), asked);
    return null;
  } catch (error) {
    return error;
  }
}

function text(error: unknown): string {
  return error instanceof ApiError ? `${error.code} ${error.internal}` : String(error);
}
