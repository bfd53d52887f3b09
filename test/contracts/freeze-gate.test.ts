import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractHash, type FreezeLock, frozenProblems, recordingProblem } from '@dateline/versions';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  historyGap,
  readFrozenFiles,
  readFrozenHistory,
  writeTape,
} from '../../src/api/folder/freeze/frozen-files.ts';
import { frozenIn, ourWords } from '../../src/cli/contracts/our-frozen.ts';
import { current, next } from '../support/service/build-versions.ts';
import { runDateline } from '../support/service/spawn-dateline.ts';

// biome-ignore lint/suspicious/noExplicitAny: contracts are edited here as by hand, at any path.
type Editable = any;

const root = resolve('.');

describe('the freeze gate', () => {
  it('accepts this repository’s frozen contracts', () => {
    expect(
      frozenProblems(readFrozenFiles(frozenIn(root)), readFrozenHistory(frozenIn(root)), ourWords),
    ).toEqual([]);
  });
});

describe('the freeze gate on a copy', () => {
  let copy: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: copy,
      stdio: 'pipe',
    });
  const lockPath = () => join(copy, 'src/contracts/frozen/lock.json');
  const contractPath = () => join(copy, `src/contracts/frozen/${current}/contract.json`);
  const read = (path: string): Editable => JSON.parse(readFileSync(path, 'utf8'));
  const write = (path: string, value: Editable) => writeFileSync(path, JSON.stringify(value, null, 2));

  function edit(change: (document: Editable) => void): void {
    const document = read(contractPath());
    change(document);
    write(contractPath(), document);
  }

  function editHashToo(): void {
    const lock = read(lockPath());
    lock.sha256[current] = contractHash(read(contractPath()));
    write(lockPath(), lock);
  }

  const problems = () =>
    frozenProblems(readFrozenFiles(frozenIn(copy)), readFrozenHistory(frozenIn(copy)), ourWords);
  const list = (document: Editable) => document.paths['/v1/products/'].get;
  const item = (document: Editable) =>
    list(document).responses['200'].content['application/json'].schema.properties.items.items;

  /** Made once, to copy from. */
  let repository: string;
  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'dateline-frozen-'));
    copy = repository;
    mkdirSync(join(copy, 'src/contracts'), { recursive: true });
    cpSync(join(root, 'src/contracts/frozen'), join(copy, 'src/contracts/frozen'), { recursive: true });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'frozen');
  });
  afterAll(() => rmSync(repository, { recursive: true, force: true }));
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'dateline-freeze-'));
    cpSync(repository, copy, { recursive: true, preserveTimestamps: true });
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  it.each<[string, (document: Editable) => void, string]>([
    [
      'an optional field',
      (d) => (item(d).properties.colour = { type: 'string' }),
      'properties.items.items.properties.colour was added',
    ],
    [
      'an enum member',
      (d) => item(d).properties.billing.anyOf.push({ const: 'usage' }),
      'properties.billing.anyOf was changed',
    ],
    [
      'a response header',
      (d) => (list(d).responses['200'].headers = { 'X-New': {} }),
      'responses.200.headers was added',
    ],
    ['a status', (d) => (list(d).responses['202'] = {}), 'responses.202 was added'],
    [
      'an error code',
      (d) => list(d).responses['422']['x-error-codes'].push('new'),
      'responses.422.x-error-codes was changed',
    ],
    ['a scope', (d) => list(d).security[0].bearer.push('products:read'), 'get.security was changed'],
    ['a constraint', (d) => (item(d).properties.name.maxLength = 9), 'properties.name.maxLength was added'],
    ['a removed field', (d) => delete item(d).properties.metadata, 'properties.metadata was removed'],
    [
      'a property called description',
      (d) => delete item(d).properties.description,
      'properties.description was removed',
    ],
  ])('[versions 62] names %s that was edited by hand, and where it belongs', (_what, change, place) => {
    edit(change);
    const [problem, ...others] = problems();
    expect(others).toEqual([]);
    expect(problem).toContain(`${current} is frozen, but paths./v1/products/.get`);
    expect(problem).toContain(place);
    expect(problem).toContain('belongs in Next, in src/contracts/head/');
  });

  it('[versions 62] allows changes of prose and of the order of keys', () => {
    edit((document) => {
      list(document).summary = 'List all products';
      list(document).responses['200'].description = 'The products.';
      document.info.title = 'Another title';
      document.servers = [{ url: 'https://api.example.com' }];
      document.paths = Object.fromEntries(Object.entries(document.paths).reverse());
    });
    expect(problems()).toEqual([]);
  });

  it('[versions 63] detects an edit whose hash was edited too, committed or not', () => {
    edit((document) => {
      item(document).properties.colour = { type: 'string' };
    });
    editHashToo();
    expect(problems()[0]).toContain('properties.colour was added');
    git('commit', '-qam', 'sneaky');
    expect(problems()[0]).toContain('properties.colour was added');
    git('commit', '-q', '--allow-empty', '-m', 'later');
    expect(problems()[0]).toContain('properties.colour was added');
  });

  /** As CI systems clone: the newest commit alone, in a repository that knows where the others are. */
  function shallowClone(): string {
    const clone = mkdtempSync(join(tmpdir(), 'dateline-shallow-'));
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
    git('clone', '-q', '--depth', '1', pathToFileURL(copy).href, clone);
    return clone;
  }

  function commitSneakyEdit(): void {
    edit((document) => {
      item(document).properties.colour = { type: 'string' };
    });
    editHashToo();
    git('commit', '-qam', 'sneaky');
  }

  it('[outside2 29] says where history was not compared, and the last line of a run repeats it', async () => {
    commitSneakyEdit();
    const place = frozenIn(shallowClone());
    const past = readFrozenHistory(place);
    // This is why it has to be said: the edit is not found.
    expect(frozenProblems(readFrozenFiles(place), past, ourWords)).toEqual([]);
    expect(historyGap(place, past)).toBe(
      'History was not compared: this is a shallow clone; "git fetch --unshallow" gets the rest.',
    );
    expect(historyGap(frozenIn(copy), readFrozenHistory(frozenIn(copy)))).toBeNull();
    const { lastLine, leftOutIn } = await import('../../tools/left-out.mjs' as string);
    const { programs } = await import('../../tools/programs.mjs' as string);
    const counts = { passed: 2723, failed: 0 };
    expect(lastLine(counts, leftOutIn(copy, []))).toBe('2723 passed, 0 failed');
    expect(lastLine(counts, leftOutIn(place.root, [programs.chromium]))).toBe(
      '2723 passed, 0 failed (history was not compared: shallow clone; skipped: tests that need Chromium)',
    );
  });

  it('[outside2 29] finds in CI what a shallow clone hides: the history is fetched first', () => {
    commitSneakyEdit();
    const clone = shallowClone();
    for (const file of ['.ci/run', 'tools/programs.mjs', 'tools/missing-packages.mjs'])
      cpSync(join(root, file), join(clone, file));
    // In the place of programs that would change this machine, or take five minutes.
    const programs = join(clone, 'programs');
    mkdirSync(programs);
    const script = '#!/bin/sh\necho "$(basename "$0") $* $TEST_PROGRAMS"\n';
    for (const name of ['npm', 'apt-get']) writeFileSync(join(programs, name), script, { mode: 0o755 });
    const run = () =>
      execFileSync(join(clone, '.ci/run'), {
        env: { PATH: `${programs}:${process.env.PATH}` },
        encoding: 'utf8',
      });
    expect(run()).toMatch(/^npm test required$/m);
    const place = frozenIn(clone);
    const past = readFrozenHistory(place);
    expect([historyGap(place, past), frozenProblems(readFrozenFiles(place), past, ourWords)]).toEqual([
      null,
      [expect.stringContaining('properties.colour was added')],
    ]);
    // Where the rest cannot be fetched, the tests run all the same.
    rmSync(join(clone, '.git'), { recursive: true });
    const alone = shallowClone();
    cpSync(join(alone, '.git'), join(clone, '.git'), { recursive: true });
    execFileSync('git', ['remote', 'set-url', 'origin', 'file:///nowhere'], { cwd: clone });
    const said = run();
    expect(said).toContain('The history could not be fetched');
    expect(said).toMatch(/^npm test required$/m);
  });

  it('[outside2 29] skips nothing in CI: a program that is missing there fails the run', async () => {
    const { programs, skippedWithout } = await import('../../tools/programs.mjs' as string);
    expect(skippedWithout([programs.chromium], {})).toEqual([
      'Tests that need Chromium are skipped, because there is none: install it, or set CHROMIUM_PATH to its path.',
    ]);
    expect(skippedWithout([], { TEST_PROGRAMS: 'required' })).toEqual([]);
    expect(() => skippedWithout([programs.chromium], { TEST_PROGRAMS: 'required' })).toThrow(
      'programs are missing. Tests that need Chromium',
    );
  });

  describe('on tapes', () => {
    const tapePath = () => join(copy, `src/contracts/frozen/${current}/tape.json`);
    const exchangeOf = (tape: Editable, status: number) =>
      tape.exchanges.find(
        ({ operation, answer }: Editable) =>
          answer.status === status && (status !== 201 || operation === 'products:create'),
      );

    /** Edited by hand, or recorded again where that is refused. */
    function editTape(change: (tape: Editable) => void): Editable {
      const tape = read(tapePath());
      change(tape);
      write(tapePath(), tape);
      return tape;
    }

    it('names the exchange that was edited, the path in it, and the remedy', () => {
      const { exchanges } = editTape((tape) => {
        exchangeOf(tape, 201).answer.body.name = 'Another name';
      });
      const { name } = exchangeOf({ exchanges }, 201);
      expect(problems()).toEqual([
        `${current} is frozen, but answer.body.name of the exchange "${name}" of its tape was changed. ` +
          'A frozen version behaves as it always did: restore tape.json, and mend the code until it replays.',
      ]);
    });

    it.each<[string, (tape: Editable) => void, string]>([
      ['a status', (tape) => (exchangeOf(tape, 404).answer.status = 410), 'answer.status of the exchange'],
      [
        'a header',
        (tape) => delete exchangeOf(tape, 405).answer.headers.allow,
        'answer.headers.allow of the exchange',
      ],
      [
        'an error code',
        (tape) => (exchangeOf(tape, 404).answer.body.error = 'missing'),
        'answer.body.error of the exchange',
      ],
      ['a request', (tape) => (exchangeOf(tape, 404).path = '/v1/else'), 'path of the exchange'],
      ['an exchange that is gone', (tape) => tape.exchanges.shift(), 'of its tape was removed'],
      [
        'an exchange that is new',
        (tape) => tape.exchanges.push({ ...tape.exchanges[0], name: 'new' }),
        'the exchange "new" of its tape was added',
      ],
      ['the order', (tape) => tape.exchanges.reverse(), 'its tape.json or its hash in lock.json was edited'],
    ])('names %s', (_what, change, place) => {
      editTape(change);
      expect(problems()).toEqual([expect.stringContaining(place)]);
    });

    it('allows changes of error texts and of the order of members', () => {
      editTape((tape) => {
        exchangeOf(tape, 404).answer.body.detail = 'Nothing is here.';
        tape.exchanges = tape.exchanges.map((exchange: Editable) =>
          Object.fromEntries(Object.entries(exchange).reverse()),
        );
      });
      expect(problems()).toEqual([]);
    });

    it('detects a tape that was recorded again with its hash, committed or not', () => {
      const again = editTape((tape) => {
        exchangeOf(tape, 201).answer.body.name = 'Another name';
      });
      writeTape(frozenIn(copy), again);
      expect(problems()[0]).toContain('answer.body.name of the exchange');
      git('commit', '-qam', 'sneaky');
      expect(problems()[0]).toContain('answer.body.name of the exchange');
    });

    it('detects a tape that was removed to be recorded again', () => {
      const tape = read(tapePath());
      rmSync(tapePath());
      expect(problems()).toEqual([
        `${current} is in lock.json, but its tape.json is missing; restore the file.`,
      ]);
      const lock = read(lockPath());
      delete lock.tape_sha256[current];
      write(lockPath(), lock);
      expect(problems()).toEqual([
        `${current} is frozen without a tape; record it with "npm run tape -- ${current}".`,
      ]);
      git('commit', '-qam', 'away');
      exchangeOf(tape, 201).answer.body.name = 'Another name';
      writeTape(frozenIn(copy), tape);
      expect(problems()[0]).toContain('answer.body.name of the exchange');
    });

    it('detects a tape that was not recorded', () => {
      const lock = read(lockPath());
      delete lock.tape_sha256[current];
      write(lockPath(), lock);
      expect(problems()[0]).toContain('has a tape.json, but lock.json does not know it; record tapes with');
    });

    it('allows a recording where there is none yet', () => {
      const lock: FreezeLock = read(lockPath());
      expect(recordingProblem(current, lock)).toContain('which is never recorded again');
      expect(recordingProblem(next, lock)).toContain('is not frozen');
      expect(recordingProblem(next, { ...lock, sha256: { ...lock.sha256, [next]: 'x' } })).toBeNull();
    });
  });

  it('is a command that fails and names the path', async () => {
    expect((await runDateline(['contract', 'check'], { cwd: copy })).code).toBe(0);
    edit((document) => {
      item(document).properties.colour = { type: 'string' };
    });
    const checked = await runDateline(['contract', 'check'], { cwd: copy });
    expect(checked.code).toBe(1);
    expect(checked.stderr).toContain('properties.colour was added');
  });

  it('explains where to run it when there is no repository', async () => {
    const { code, stderr } = await runDateline(['contract', 'check'], { cwd: tmpdir() });
    expect(code).toBe(1);
    expect(stderr).toContain('run this in the root of the repository');
  });
});
