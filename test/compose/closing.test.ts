import { describe, expect, it } from 'vitest';
import { type Closing, closingOnFailure, createClosing } from '../../src/compose/closing.ts';
import { StartupError } from '../../src/errors/startup-error.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { freePort } from '../support/database/postgres-server.ts';

/** Registers one part of each stage, last stage first, and records in which order they begin and end. */
function register(closing: Closing): string[] {
  const seen: string[] = [];
  const note = (name: string) => async (limitMs?: number) => {
    seen.push(limitMs === undefined ? `${name} begins` : `${name} begins, ${limitMs} ms`);
    await Promise.resolve();
    seen.push(`${name} ends`);
  };
  closing.closeLast(note('database'));
  closing.stopThen(note('usage'));
  closing.drainFirst(note('edge'));
  return seen;
}

const IN_ORDER = (limitMs: number) => [
  `edge begins, ${limitMs} ms`,
  'edge ends',
  'usage begins',
  'usage ends',
  'database begins',
  'database ends',
];

describe('closing', () => {
  it('drains, then stops, then closes, in any order of registration', async () => {
    const closing = createClosing();
    const seen = register(closing);
    await closing.close(7);
    expect(seen).toEqual(IN_ORDER(7));
  });

  it('drains all parts at the same time', async () => {
    const closing = createClosing();
    let begin = (): void => {};
    closing.drainFirst(() => new Promise((resolve) => (begin = resolve)));
    closing.drainFirst(async () => begin());
    await closing.close(0);
  });

  it('closes the databases although an earlier stage fails', async () => {
    const closing = createClosing();
    const seen = register(closing);
    closing.drainFirst(() => Promise.reject(new Error('a socket is stuck')));
    closing.stopThen(() => Promise.reject(new Error('a statement failed')));
    await closing.close(7);
    expect(seen).toEqual(IN_ORDER(7));
  });

  it('closes at once what a failed start has opened, and rethrows the failure', async () => {
    let seen: string[] = [];
    const starting = closingOnFailure({ databaseUrl: null }, async (closing) => {
      seen = register(closing);
      throw new Error('no database');
    });
    await expect(starting).rejects.toThrow('no database');
    expect(seen).toEqual(IN_ORDER(0));
  });

  it('leaves open what a successful start has opened', async () => {
    let seen: string[] = [];
    expect(
      await closingOnFailure({ databaseUrl: null }, async (closing) => {
        seen = register(closing);
        return 'started';
      }),
    ).toBe('started');
    expect(seen).toEqual([]);
  });
});

it('[outside2 16] tells in a sentence that the database went away half-way through a start, and closes what was opened', async () => {
  const databaseUrl = `postgres://127.0.0.1:${await freePort()}/gone`;
  const closed: string[] = [];
  const starting = closingOnFailure({ databaseUrl }, async (closing) => {
    const database = openPostgres({ schema: 'sandbox', url: databaseUrl, poolMax: 2, onError() {} });
    closing.closeLast(async () => {
      await database.close();
      closed.push('database');
    });
    await database.ping();
  });
  await expect(starting).rejects.toThrow(StartupError);
  await expect(starting).rejects.toThrow(/^DATABASE_URL: no database answers at 127\.0\.0\.1:\d+\/gone \(/);
  expect(closed).toEqual(['database']);
});
