import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIntrospectionCache, type IntrospectionFacts } from '../../client/src/introspection-cache.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const MAX_AGE_MS = 60_000;

interface Token {
  value: string;
  sub: string;
  exp: number;
  /** When it was revoked at the service, and when its webhook was handled. */
  revokedAtMs: number | null;
  notifiedAtMs: number | null;
}

function activeFacts({ sub, exp }: Pick<Token, 'sub' | 'exp'>): IntrospectionFacts {
  return {
    active: true,
    client_id: 'cli_1',
    token_type: 'access_token',
    scope: 'a b',
    sub_type: 'user',
    sub,
    organizations: [],
    aud: 'cli_1',
    iss: 'http://localhost',
    exp,
    iat: 0,
  };
}

const tokenRevoked = (value: string) => ({ type: 'token.revoked', data: { token_sha256: sha256(value) } });
const grantRevoked = (sub: string) => ({
  type: 'grant.revoked',
  data: { client_id: 'cli_1', sub_type: 'user', sub },
});

/** Answers of the service, given when the test decides. */
function heldAnswers() {
  const waiting: ((facts: IntrospectionFacts) => void)[] = [];
  return {
    introspect: () => new Promise<IntrospectionFacts>((resolve) => void waiting.push(resolve)),
    count: () => waiting.length,
    async answer(facts: IntrospectionFacts, index = 0) {
      await expect.poll(() => waiting.length).toBeGreaterThan(index);
      waiting[index]?.(facts);
    },
  };
}

const facts = activeFacts({ sub: 'usr_1', exp: 4_000_000_000 });

describe('the introspection cache', () => {
  it('asks once per token while its answer is fresh, and never beyond exp', async () => {
    let [nowMs, asked] = [1_000_000, 0];
    const cache = createIntrospectionCache({
      maxAgeMs: MAX_AGE_MS,
      now: () => nowMs,
      introspect: async () => {
        asked += 1;
        return activeFacts({ sub: 'usr_1', exp: 1_090 });
      },
    });
    const counts: number[] = [];
    for (const time of [1_000_000, 1_059_999, 1_060_000, 1_089_999, 1_090_000, 1_090_001]) {
      nowMs = time;
      await cache.introspect('token');
      counts.push(asked);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
  });

  it('stores no inactive token and no refresh token', async () => {
    let asked = 0;
    const answers: IntrospectionFacts[] = [
      { active: false },
      { ...facts, token_type: 'refresh_token' } as IntrospectionFacts,
    ];
    for (const answer of answers) {
      const cache = createIntrospectionCache({
        introspect: async () => {
          asked += 1;
          return answer;
        },
      });
      await cache.introspect('token');
      await cache.introspect('token');
    }
    expect(asked).toBe(4);
  });

  it('shares one request among concurrent callers, errors included', async () => {
    const held = heldAnswers();
    const cache = createIntrospectionCache({ introspect: held.introspect });
    const all = Promise.all(Array.from({ length: 10 }, () => cache.introspect('token')));
    await held.answer(facts);
    expect(await all).toEqual(Array(10).fill(facts));
    expect(held.count()).toBe(1);
    const failing = createIntrospectionCache({ introspect: () => Promise.reject(new Error('down')) });
    await expect(failing.introspect('token')).rejects.toThrow('down');
    await expect(failing.introspect('token')).rejects.toThrow('down');
  });

  it('prefers a revocation that arrives before the answer: its tombstone is there already', async () => {
    const held = heldAnswers();
    const cache = createIntrospectionCache({ introspect: held.introspect });
    const answer = cache.introspect('token');
    await expect.poll(held.count).toBe(1);
    cache.handleWebhook(tokenRevoked('token'));
    await held.answer(facts);
    expect(await answer).toEqual({ active: false });
    const again = cache.introspect('token');
    await held.answer({ active: false }, 1);
    expect(await again).toEqual({ active: false });
  });

  it('asks again where a grant was revoked meanwhile: the subject may have another one', async () => {
    const held = heldAnswers();
    const cache = createIntrospectionCache({ introspect: held.introspect });
    const answer = cache.introspect('token');
    await expect.poll(held.count).toBe(1);
    cache.handleWebhook(grantRevoked('usr_1'));
    cache.handleWebhook(grantRevoked('usr_2'));
    await held.answer(facts);
    await held.answer({ active: false }, 1);
    expect(await answer).toEqual({ active: false });
  });

  it('evicts the token asked for longest ago when it is full, and all of them when cleared', async () => {
    const asked: string[] = [];
    const cache = createIntrospectionCache({
      maxEntries: 2,
      introspect: async (token) => {
        asked.push(token);
        return facts;
      },
    });
    for (const token of ['a', 'b', 'c', 'b', 'c', 'a']) await cache.introspect(token);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
    cache.clear();
    await cache.introspect('a');
    expect(asked).toHaveLength(5);
  });

  it('returns no active token after its webhook or its maximum age: 10,000 random revocations', async () => {
    let [revocations, cached, bounded] = [0, 0, 0];
    const step = fc.record({
      // What happens: time passes, a caller asks, an answer arrives, something is revoked, a webhook arrives.
      what: fc.constantFrom(
        ...(['pass', 'ask', 'ask', 'ask', 'ask', 'ask', 'answer', 'answer', 'answer', 'answer'] as const),
        ...(['revoke', 'revoke', 'revoke', 'revoke-grant', 'tell', 'tell', 'issue', 'issue'] as const),
      ),
      which: fc.nat(1_000_000),
    });
    const run = fc.asyncProperty(fc.array(step, { minLength: 200, maxLength: 200 }), async (steps) => {
      const { wrong, ...counts } = await play(steps);
      expect(wrong).toEqual([]);
      revocations += counts.revocations;
      cached += counts.cached;
      bounded += counts.bounded;
    });
    await fc.assert(run, { numRuns: 300 });
    expect(revocations).toBeGreaterThan(10_000);
    // Without these counts a cache that stores nothing, or that relies on webhooks alone, would pass.
    expect(cached).toBeGreaterThan(1_000);
    expect(bounded).toBeGreaterThan(100);
  }, 120_000);
});

interface Step {
  what: string;
  which: number;
}

/** One life of a cache beside a service whose answers and webhooks are late, in any order. */
async function play(steps: readonly Step[]) {
  let nowMs = 1_000_000_000;
  const counts = { revocations: 0, cached: 0, bounded: 0, wrong: [] as string[] };
  const issued = new Map<string, Token>();
  /** The tokens in use now. */
  const tokens: Token[] = [];
  const underWay: (() => void)[] = [];
  const webhooks: (() => void)[] = [];
  const checks: Promise<void>[] = [];
  /** How many questions about a token have reached the service, and how many of them are open. */
  const asked = new Map<string, number>();
  const open = new Map<string, number>();
  for (let index = 0; index < 8; index += 1) tokens.push(issue(index));
  const cache = createIntrospectionCache({
    introspect,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: 6,
    now: () => nowMs,
  });

  for (const { what, which } of steps) {
    const place = which % tokens.length;
    const token = tokens[place] as Token;
    if (what === 'pass') nowMs += which % 30_000;
    if (what === 'issue' && token.revokedAtMs !== null) tokens[place] = issue(which);
    if (what === 'ask') checks.push(check(token));
    if (what === 'answer') underWay.splice(which % (underWay.length + 1), 1)[0]?.();
    if (what === 'tell') webhooks.splice(which % (webhooks.length + 1), 1)[0]?.();
    if (what === 'revoke') revoke([token], () => cache.handleWebhook(tokenRevoked(token.value)));
    if (what === 'revoke-grant') {
      const same = tokens.filter(({ sub }) => sub === token.sub);
      revoke(same, () => cache.handleWebhook(grantRevoked(token.sub)));
    }
    await settled();
  }
  // The last callers may start a new question when theirs is answered.
  let isOver = false;
  const all = Promise.all(checks).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const answer of underWay.splice(0)) answer();
    await settled();
  }
  await all;
  return counts;

  function issue(seed: number): Token {
    const exp = Math.floor(nowMs / 1000) + 30 + (seed % 600);
    const token = {
      value: `token${issued.size}`,
      sub: `usr_${seed % 5}`,
      exp,
      revokedAtMs: null,
      notifiedAtMs: null,
    };
    issued.set(token.value, token);
    return token;
  }

  /** The service answers with what is true when it looks; the answer arrives later. */
  function introspect(value: string): Promise<IntrospectionFacts> {
    const token = issued.get(value);
    const isActive = token && token.revokedAtMs === null && nowMs < token.exp * 1000;
    const answer: IntrospectionFacts = isActive ? activeFacts(token) : { active: false };
    asked.set(value, (asked.get(value) ?? 0) + 1);
    open.set(value, (open.get(value) ?? 0) + 1);
    return new Promise((resolve) => {
      underWay.push(() => {
        open.set(value, (open.get(value) ?? 0) - 1);
        resolve(answer);
      });
    });
  }

  function revoke(ended: readonly Token[], tell: () => void): void {
    counts.revocations += 1;
    for (const token of ended) token.revokedAtMs ??= nowMs;
    webhooks.push(() => {
      tell();
      for (const token of ended) token.notifiedAtMs ??= nowMs;
    });
  }

  async function check(token: Token): Promise<void> {
    const { value } = token;
    const [askedAtMs, before] = [nowMs, asked.get(value)];
    const wasOpen = (open.get(value) ?? 0) > 0;
    const facts = await cache.introspect(value);
    const isFromMemory = !wasOpen && asked.get(value) === before;
    if (!facts.active) return;
    if (token.notifiedAtMs !== null) counts.wrong.push('active although its webhook was handled');
    if (!isFromMemory) return;
    counts.cached += 1;
    if (askedAtMs >= token.exp * 1000) counts.wrong.push('active after its end');
    if (token.revokedAtMs === null) return;
    // Revoked, but not announced yet: the age of the answer is the bound.
    counts.bounded += 1;
    if (askedAtMs - token.revokedAtMs >= MAX_AGE_MS) counts.wrong.push('active beyond the maximum age');
  }
}

/** Runs everything that is due now; digests are computed outside of the event loop. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
