import type { ActiveTokenFacts, Introspect, IntrospectionFacts } from './core/introspection.ts';

export type { ActiveTokenFacts, Introspect, IntrospectionFacts } from './core/introspection.ts';

export interface IntrospectionCacheOptions {
  /** Asks the service: `(token) => client.oauth.introspect({ token })`. */
  introspect: Introspect;
  /** The longest time that an answer is used, counted from when it was asked for. */
  maxAgeMs?: number | undefined;
  /** How many tokens are remembered; the one that was asked about longest ago goes first. */
  maxEntries?: number | undefined;
  /** What time it is, for tests. */
  now?: (() => number) | undefined;
}

/** A webhook; those of other kinds than the two that end tokens change nothing. */
export interface WebhookAboutTokens {
  type: string;
  data: object;
}

export interface IntrospectionCache {
  introspect: Introspect;
  /** To be called with every verified webhook. When it returns, no older answer is given any more. */
  handleWebhook(webhook: WebhookAboutTokens): void;
  /** Forgets everything, for instance when webhooks may have been missed. */
  clear(): void;
}

const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  facts: ActiveTokenFacts;
  goodUntilMs: number;
}

/** A question that is not answered yet, and what was revoked since it was asked: its tombstones. */
interface Asking {
  digest: string;
  askedAtMs: number;
  answer: Promise<IntrospectionFacts>;
  isTokenRevoked: boolean;
  revokedGrants: Set<string>;
}

/**
 * Remembers which tokens are active, for resource servers.
 *
 * How stale it can be: after `handleWebhook` has returned for a `token.revoked` or `grant.revoked`, not at all for
 * those tokens. Without a webhook (it is late, or there is none, as for a blocked user or a lost membership) an answer is used
 * for `maxAgeMs` at most, counted from when it was asked for, and never after the token's `exp`.
 */
export function createIntrospectionCache(options: IntrospectionCacheOptions): IntrospectionCache {
  const { introspect, maxAgeMs = MAX_AGE_MS, maxEntries = MAX_ENTRIES, now = Date.now } = options;
  const entries = new Map<string, Entry>();
  const digestsByGrant = new Map<string, Set<string>>();
  /** All that are under way, and of each token the one that others may join. */
  const askings = new Set<Asking>();
  const joinable = new Map<string, Asking>();

  return {
    async introspect(token) {
      const digest = await digestOf(token);
      const entry = entries.get(digest);
      if (entry && now() < entry.goodUntilMs) return entry.facts;
      forget(digest);
      const asking = joinable.get(digest);
      // An answer that has been under way for that long would be too old for this caller.
      if (asking && now() < asking.askedAtMs + maxAgeMs) return asking.answer;
      return ask(token, digest);
    },

    handleWebhook({ type, data }) {
      if (type === 'token.revoked') revokeToken((data as { token_sha256: string }).token_sha256);
      if (type === 'grant.revoked') revokeGrant(grantKey(data as ActiveTokenFacts));
    },

    clear() {
      entries.clear();
      digestsByGrant.clear();
      // What is under way is still answered, but not remembered.
      joinable.clear();
    },
  };

  function ask(token: string, digest: string): Promise<IntrospectionFacts> {
    const asking: Asking = {
      digest,
      askedAtMs: now(),
      answer: introspect(token)
        .then((facts) => settle(facts, token, asking))
        .finally(() => {
          askings.delete(asking);
          if (joinable.get(digest) === asking) joinable.delete(digest);
        }),
      isTokenRevoked: false,
      revokedGrants: new Set(),
    };
    askings.add(asking);
    joinable.set(digest, asking);
    return asking.answer;
  }

  /** An answer may have been true when it was written, and be false now: the tombstones show it. */
  function settle(
    facts: IntrospectionFacts,
    token: string,
    asking: Asking,
  ): IntrospectionFacts | Promise<IntrospectionFacts> {
    if (!facts.active) return facts;
    if (asking.isTokenRevoked) return { active: false };
    // The subject may have another grant with this client, so this may be a live token: only the service knows.
    if (asking.revokedGrants.has(grantKey(facts))) return ask(token, asking.digest);
    if (joinable.get(asking.digest) === asking) remember(asking.digest, facts, asking.askedAtMs);
    return facts;
  }

  function remember(digest: string, facts: ActiveTokenFacts, askedAtMs: number): void {
    // Refresh tokens are used up without any webhook.
    if (facts.token_type !== 'access_token') return;
    forget(digest);
    entries.set(digest, { facts, goodUntilMs: Math.min(askedAtMs + maxAgeMs, facts.exp * 1000) });
    const key = grantKey(facts);
    digestsByGrant.set(key, (digestsByGrant.get(key) ?? new Set()).add(digest));
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) forget(oldest);
  }

  function forget(digest: string): void {
    const entry = entries.get(digest);
    if (!entry) return;
    entries.delete(digest);
    const key = grantKey(entry.facts);
    const siblings = digestsByGrant.get(key);
    siblings?.delete(digest);
    if (siblings?.size === 0) digestsByGrant.delete(key);
  }

  function revokeToken(digest: string): void {
    forget(digest);
    for (const asking of askings) if (asking.digest === digest) asking.isTokenRevoked = true;
  }

  function revokeGrant(key: string): void {
    for (const digest of [...(digestsByGrant.get(key) ?? [])]) forget(digest);
    for (const asking of askings) asking.revokedGrants.add(key);
  }
}

/** Introspection does not name the grant: those of one client and subject are ended together, and asked about anew. */
function grantKey({
  client_id,
  sub_type,
  sub,
}: Pick<ActiveTokenFacts, 'client_id' | 'sub_type' | 'sub'>): string {
  return JSON.stringify([client_id, sub_type, sub]);
}

/** As `token_sha256` in webhooks. Tokens themselves are not kept. */
async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
