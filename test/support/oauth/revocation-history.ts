import type { OAuthNodes } from './oauth-nodes.ts';
import { postForm } from './oauth-nodes.ts';

/** One introspection of a token, and when it began. */
interface Look {
  token: string;
  startedAtMs: number;
  active: boolean;
}

export interface History {
  looks: Look[];
  /** When the answer to a token's revocation had arrived. */
  deadSinceMs: Map<string, number>;
  refreshes: number;
  unexpected: string[];
}

interface Chain {
  access: string;
  refresh: string;
  /** Every token that this grant ever had. */
  all: string[];
  grantEndedAtMs: number | null;
}

/** Callers introspect, refresh and revoke at random over all nodes, until there are enough looks; all is recorded. */
export async function recordHistory(
  nodes: OAuthNodes,
  urls: readonly string[],
  { callers, looks }: { callers: number; looks: number },
): Promise<History> {
  const history: History = { looks: [], deadSinceMs: new Map(), refreshes: 0, unexpected: [] };
  const chains: Chain[] = [];
  const anyOf = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(Math.random() * items.length)] as Item;
  const post = (path: string, form: Record<string, string>) =>
    postForm(anyOf(urls), path, { ...nodes.credentials, ...form });

  async function addChain(): Promise<void> {
    const { access, refresh } = await nodes.newFamily();
    chains.push({ access, refresh, all: [access, refresh], grantEndedAtMs: null });
  }

  async function look(chain: Chain): Promise<void> {
    const token = anyOf(chain.all);
    const startedAtMs = performance.now();
    const answer = await post('introspect', { token });
    if (answer?.status !== 200) return void history.unexpected.push(`introspect ${answer?.status}`);
    history.looks.push({ token, startedAtMs, active: answer.body.active });
  }

  async function refresh(chain: Chain): Promise<void> {
    const answer = await post('token', { grant_type: 'refresh_token', refresh_token: chain.refresh });
    // Another caller may have been faster, or has ended the grant.
    if (answer?.status === 400) return;
    if (answer?.status !== 200) return void history.unexpected.push(`refresh ${answer?.status}`);
    history.refreshes += 1;
    const { access_token, refresh_token } = answer.body;
    chain.all.push(access_token, refresh_token);
    Object.assign(chain, { access: access_token, refresh: refresh_token });
    // The grant was ended while this was in flight: the new tokens are dead too, as of that end.
    if (chain.grantEndedAtMs !== null) endAll(chain, chain.grantEndedAtMs);
  }

  async function revokeAccess(chain: Chain): Promise<void> {
    const token = chain.access;
    const answer = await post('revoke', { token });
    if (answer?.status !== 200) return void history.unexpected.push(`revoke ${answer?.status}`);
    if (!history.deadSinceMs.has(token)) history.deadSinceMs.set(token, performance.now());
  }

  async function revokeGrant(chain: Chain): Promise<void> {
    const answer = await post('revoke', { token: chain.refresh });
    if (answer?.status !== 200) return void history.unexpected.push(`revoke ${answer?.status}`);
    chain.grantEndedAtMs ??= performance.now();
    endAll(chain, chain.grantEndedAtMs);
    await addChain();
  }

  function endAll({ all }: Chain, atMs: number): void {
    for (const token of all) if (!history.deadSinceMs.has(token)) history.deadSinceMs.set(token, atMs);
  }

  const mixture = [look, look, look, look, look, look, refresh, revokeAccess, look, revokeGrant];
  async function caller(): Promise<void> {
    while (history.looks.length < looks && history.unexpected.length === 0)
      await anyOf(mixture)(anyOf(chains.slice(-200)));
  }
  for (let count = 0; count < callers; count += 1) await addChain();
  await Promise.all(Array.from({ length: callers }, caller));
  return history;
}

/** Tokens reported active to a request that began after their revocation was answered. */
export function survivors({ looks, deadSinceMs }: History): Look[] {
  return looks.filter(
    ({ token, startedAtMs, active }) => active && startedAtMs > (deadSinceMs.get(token) ?? Infinity),
  );
}
