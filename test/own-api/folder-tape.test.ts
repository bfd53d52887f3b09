import { describe, expect, it } from 'vitest';
import { folderTapeProblems, recordFolderTape } from '../../src/api/folder/freeze/folder-tape.ts';
import { older, replaceCentsWithPrice, sourceOf } from '../support/contracts/price-api.ts';

const sourceWith = (factor: number) => sourceOf([replaceCentsWithPrice(factor)]);

describe('the tape of a frozen version of a folder', () => {
  const tape = recordFolderTape(sourceWith(10), older);

  it('holds requests, answers and events as older versions have them', () => {
    const bodies = Object.fromEntries(tape.exchanges.map(({ name, answer }) => [name, answer.body]));
    expect(bodies).toMatchObject({
      'a request to orders:create of 2026-01': { body: { price: 25 } },
      'an answer 201 of orders:create in 2026-01': { cents: 2_500 },
      'an answer 201 of orders:create in 2026-04': { price: 250 },
      'the event order.placed in 2026-01': { data: { cents: 2_500 } },
    });
  });

  it('replays for as long as nothing was edited, whatever came after that version', () => {
    expect(folderTapeProblems(tape, sourceWith(10), 'tape.json')).toEqual([]);
  });

  it('notices an edit of what frozen versions are translated with, at its place', () => {
    const problems = folderTapeProblems(tape, sourceWith(100), 'tape.json');
    expect(problems.map(({ path }) => path).sort()).toEqual([
      '"a request to orders:create of 2026-01" answer.body.body.price',
      '"an answer 201 of orders:create in 2026-01" answer.body.cents',
      '"the event order.placed in 2026-01" answer.body.data.cents',
    ]);
    expect(problems[0]?.reason).toContain('what frozen versions answer never changes');
  });

  it('notices that a translation between frozen versions was taken away', () => {
    const { downgradeResponse: _gone, ...left } = replaceCentsWithPrice(10);
    const problems = folderTapeProblems(tape, sourceOf([left]), 'tape.json');
    expect(problems.map(({ path }) => path)).toEqual([
      '"an answer 201 of orders:create in 2026-01" answer.body.cents',
      '"an answer 201 of orders:create in 2026-01" answer.body.price',
    ]);
  });

  it('notices that a translation was added where there was none', () => {
    const exchanges = tape.exchanges.filter(({ name }) => !name.startsWith('a request'));
    const problems = folderTapeProblems({ ...tape, exchanges }, sourceWith(10), 'tape.json');
    expect(problems).toMatchObject([{ path: '"a request to orders:create of 2026-01"' }]);
    expect(problems[0]?.reason).toContain('it was added by an edit');
  });

  it('replays what it was given when it was recorded, however samples are made today', () => {
    const exchanges = tape.exchanges.map((exchange) => {
      if (exchange.name !== 'an answer 201 of orders:create in 2026-01') return exchange;
      return {
        ...exchange,
        body: { json: { price: 7 } },
        answer: { ...exchange.answer, body: { cents: 70 } },
      };
    });
    expect(folderTapeProblems({ ...tape, exchanges }, sourceWith(10), 'tape.json')).toEqual([]);
  });

  it('says nothing of versions that were removed since', () => {
    const { documents, changeSets, ...rest } = sourceWith(100);
    const left = { ...rest, documents: documents.slice(1), changeSets: changeSets.slice(1) };
    expect(folderTapeProblems(tape, left, 'tape.json')).toEqual([]);
  });
});
