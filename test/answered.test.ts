import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered, takeUnseen } from './support/run/answered.ts';

const refused = () => answered({ status: 404, body: { code: 'not_found' } as Answered }, 'POST /v1/tokns');
const SENTENCE = 'POST /v1/tokns was answered 404, and the test did not look at that';

interface Answered {
  code: string;
  id?: string;
}

describe('an answer in a test', () => {
  it('[outside2 26] other than 2xx fails the test that drops it, or reads what an error does not have', async () => {
    refused();
    expect(takeUnseen()).toEqual([SENTENCE]);
    await Promise.resolve(refused());
    expect(takeUnseen()).toEqual([SENTENCE]);
    const { body } = refused();
    expect(body.id).toBeUndefined();
    expect(takeUnseen()).toEqual([SENTENCE]);
  });

  it('[outside2 26] is looked at by its status, by its error, or as a whole', async () => {
    expect(refused().status).toBe(404);
    expect(refused().body.code).toBe('not_found');
    expect(refused()).toEqual({ status: 404, body: { code: 'not_found' } });
    expect(refused().body).toMatchObject({ code: 'not_found' });
    const response = answered(new Response('{"code":"gone"}', { status: 410 }), 'GET /v1/it');
    expect(await response.json()).toEqual({ code: 'gone' });
    answered({ status: 204 }, 'DELETE /v1/it');
    expect(takeUnseen()).toEqual([]);
  });

  /** Where answers are no answers to a test: they are written down, counted, or come from a program that is tried out. */
  const others = [
    'test/client/resource-server.test.ts',
    'test/long/failovers.test.ts',
    'test/long/upstream-memory.test.ts',
    'test/support/oauth/oauth-nodes.ts',
    'test/tape/player.ts',
  ];

  it('[outside2 26] is one of `answered` wherever a function of the tests calls the service', () => {
    const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((file) => join('test', file))
      .filter((file) => file.endsWith('.ts') && !others.includes(file));
    const bare = sources.filter((file) => {
      const text = readFileSync(file, 'utf8');
      return /return \{\s*status: response\.status\b/.test(text) || /^\s*await fetch\(/m.test(text);
    });
    expect(bare).toEqual([]);
  });
});
