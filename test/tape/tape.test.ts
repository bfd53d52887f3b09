import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiVersion,
  type CompiledVersion,
  compileApi,
  type Exchange,
  frozenProblems,
  type Tape,
} from '@dateline/versions';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFrozenFiles, writeContract } from '../../src/api/folder/freeze/frozen-files.ts';
import { frozenIn, ourWords } from '../../src/cli/contracts/our-frozen.ts';
import { apiSource, frozenVersions } from '../../src/contracts/api.ts';
import { anyEngine, createTestDatabases, isFullMatrix } from '../support/database/databases.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { next } from '../support/service/build-versions.ts';
import { forbiddenAnswers, unexpectedAnswers } from './check-answers.ts';
import { gapsIn } from './coverage.ts';
import { type Played, play } from './player.ts';
import { playScript, recordTape } from './record.ts';
import { replayProblems } from './replay.ts';
import type { OpenDatabases } from './stage.ts';

const { tapes } = readFrozenFiles(frozenIn('.'));
const api = compileApi(apiSource());
const openFresh: OpenDatabases = () => createTestDatabases(anyEngine);

// A play takes seconds, and many times that on a busy machine.
const BUSY_MS = 240_000;
const silenced = { status: 418, headers: {}, body: null };
const versionOf = (version: ApiVersion): CompiledVersion => api.get(version) as CompiledVersion;

describe.each(frozenVersions())('the tape of %s', (version) => {
  const tape: Tape = tapes[version] ?? { version, exchanges: [] };
  let played: Played[];
  beforeAll(async () => {
    played = await play(version, tape.exchanges, openFresh);
  }, BUSY_MS);

  it('replays exactly: a frozen version behaves as it did when it was frozen', () => {
    expect(replayProblems(tape, played)).toEqual([]);
  });

  it('shows every operation, every status and every error code of the contract', () => {
    expect(gapsIn(versionOf(version).contract, tape.exchanges)).toEqual([]);
  });

  it('contains no answer that the contract does not allow', () => {
    expect(forbiddenAnswers(versionOf(version), played)).toEqual([]);
  });

  it('contains no secret, no id and no time of the day it was recorded', () => {
    const text = JSON.stringify(tape);
    // The turn of the century is written in the script, so it is the same at every play.
    expect(text).not.toMatch(/dl_(test_)?[a-z]{2}_|(?!2000-01-01)\d{4}-\d\d-\d\dT|127\.0\.0\.1/);
    // Scripts use an id of zeros for what does not exist.
    expect(text).not.toMatch(/_(?!0{22})[0-9A-Za-z]{22}\b/);
  });

  it('fails for a gap, an answer that the script does not name, and one that the contract does not allow', () => {
    const { contract } = versionOf(version);
    const found = tape.exchanges.filter(({ answer }) => answer.status !== 404);
    expect(gapsIn(contract, found)).toContain('products:read 404 not_found');
    const [first] = played as [Played];
    const step = { ...first.exchange, as: 'owner', answers: '404 not_found' } as const;
    expect(unexpectedAnswers([step], [first])[0]).toContain('answered 200, and not 404 not_found');
    const wrong = played.map((one) => ({ ...one, body: { colour: 'red' } }));
    expect(forbiddenAnswers(versionOf(version), wrong).join()).toContain(`"${tape.exchanges[0]?.name}"`);
    const silent = played.map(({ exchange, body }) => ({
      exchange: { ...exchange, answer: silenced },
      body,
    }));
    expect(forbiddenAnswers(versionOf(version), silent)[0]).toContain('does not list 418 undefined');
  });

  it('fails with the exchange and the path where an answer differs', () => {
    const asRecorded = tape.exchanges.map((exchange) => ({ exchange, body: null }));
    expect(replayProblems(tape, asRecorded)).toEqual([]);
    const index = tape.exchanges.findIndex(({ operation }) => operation === 'products:list');
    const body = (tape.exchanges[index]?.answer.body ?? {}) as { items: { name: string }[] };
    const items = body.items.map((item, position) => (position === 1 ? { ...item, name: 'Another' } : item));
    const edited = withAnswer(tape, index, { body: { ...body, items } });
    const [problem, ...others] = replayProblems(edited, asRecorded);
    expect(others).toEqual([]);
    expect(problem).toContain(`"${tape.exchanges[index]?.name}": answer.body.items.[1].name was changed`);
  });
});

describe('the script of Next', () => {
  it.skipIf(isFullMatrix)(
    'is complete, and answered as the contract says',
    async () => {
      const { exchanges } = await playScript(versionOf(next), openFresh);
      expect(exchanges.map(({ answer }) => answer.status)).toContain(410);
    },
    BUSY_MS,
  );

  itInLongRuns(
    'is recorded once when Next is frozen: complete, as the contract says, and the same again',
    async () => {
      const copy = mkdtempSync(join(tmpdir(), 'dateline-tape-'));
      try {
        freezeNextIn(copy);
        const tape = await recordTape(copy, next, openFresh);
        expect(tape.exchanges.map(({ answer }) => answer.status)).toContain(410);
        expect(readFrozenFiles(frozenIn(copy)).tapes[next]).toEqual(tape);
        expect(frozenProblems(readFrozenFiles(frozenIn(copy)), [], ourWords)).toEqual([]);
        await expect(recordTape(copy, next, openFresh)).rejects.toThrow('which is never recorded again');
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    },
    BUSY_MS,
  );

  /** What a release does before it has the tape recorded. */
  function freezeNextIn(copy: string): void {
    const { folder } = frozenIn(copy);
    cpSync(folder, join(copy, folder), { recursive: true });
    writeContract(frozenIn(copy), next, versionOf(next).document);
  }
});

function withAnswer(tape: Tape, index: number, change: Partial<Exchange['answer']>): Tape {
  const exchanges = tape.exchanges.map((exchange, position) =>
    position === index ? { ...exchange, answer: { ...exchange.answer, ...change } } : exchange,
  );
  return { ...tape, exchanges };
}
