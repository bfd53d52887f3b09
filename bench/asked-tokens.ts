import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from './http-caller.ts';

/** How many are revoked while a contender works, and how many of its questions are about those. */
const REVOKED_PER_SECOND = 20;
const ABOUT_REVOKED_ONE_IN = 50;
const REMEMBERED = 200;

const ACTIVE = '"active":true';
const INACTIVE = '"active":false';

export interface AskedTokensOptions {
  tokens: readonly string[];
  formOf(tokenValue: string): string;
  revokeUrl: string;
}

/**
 * Tokens to introspect, some of which are revoked meanwhile. Speed by stale answers is none: a question that begins after a
 * revocation was acknowledged and gets an active token ends the run.
 */
export function createAskedTokens({ tokens, formOf, revokeUrl }: AskedTokensOptions) {
  const forms = tokens.map(formOf);
  const revoked = new Set<number>();
  const recent: number[] = [];
  /** By connection: what it asks about, and whether that was revoked before it asked. */
  const asked: { index: number; wasRevoked: boolean }[] = [];
  const any = (): number => Math.floor(Math.random() * forms.length);

  function form(connection: number): string {
    const [about = any()] =
      Math.random() < 1 / ABOUT_REVOKED_ONE_IN ? recent.slice(Math.floor(Math.random() * recent.length)) : [];
    asked[connection] = { index: about, wasRevoked: revoked.has(about) };
    return forms[about] as string;
  }

  function onAnswer(connection: number, answer: string): void {
    const { index = -1, wasRevoked = false } = asked[connection] ?? {};
    if (wasRevoked && !answer.includes(INACTIVE))
      throw new Error('a token was active after its revocation had been acknowledged');
    // Revoked between the question and its answer, or just now: either answer is right.
    if (!wasRevoked && !answer.includes(ACTIVE) && !revoked.has(index) && index !== ending)
      throw new Error(`a live token was answered with ${answer}`);
  }

  let ending = -1;
  async function revokeSome(forMs: number): Promise<void> {
    const end = performance.now() + forMs;
    while (performance.now() < end) {
      ending = any();
      const response = await fetch(revokeUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: forms[ending] as string,
      });
      await response.text();
      if (response.status !== 200) throw new Error(`a revocation was answered with ${response.status}`);
      revoked.add(ending);
      recent.push(ending);
      if (recent.length > REMEMBERED) recent.shift();
      await delay(1000 / REVOKED_PER_SECOND);
    }
  }

  const call: Pick<CallOptions, 'form' | 'onAnswer'> = { form, onAnswer };
  return { call, revokeSome };
}
