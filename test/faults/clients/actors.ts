import { setTimeout as pause } from 'node:timers/promises';
import type { Operation, PublishedFacts } from './history.ts';
import type { Stage } from './start-clients.ts';

/** What a client does over and over: each is one life of a token, a family, a batch. One of each plays at every node. */
export const actors: readonly ((stage: Stage) => Promise<void>)[] = [
  ownToken,
  ownToken,
  family,
  family,
  manyTokens,
  creates,
  publishes,
  watches,
];

/** A client's token for itself: issued, used, and mostly revoked. */
async function ownToken(stage: Stage): Promise<void> {
  const issued = await stage.untilAnswered((node) => stage.requests.issue(node));
  const token = issued?.what === 'issue' ? issued.token : undefined;
  if (token === undefined) return;
  stage.known.add(token);
  await use(stage, token);
  if (stage.random.next() < 0.25) return;
  const ended = await stage.untilAnswered((node) => stage.requests.revoke(node, { token, grant: null }));
  if (ended?.result === 'done') await look(stage, token, ended);
}

/** A user's grant: exchanged, refreshed, and ended by its refresh token, by an access token, or not. */
async function family(stage: Stage): Promise<void> {
  // Some users are ended in bulk, by an actor of their own.
  const user = stage.random.pick(stage.cast.users.slice(4));
  const first = await exchanged(stage, user);
  if (!first) return;
  let { refresh, access } = first;
  const { grant } = first;
  for (let rounds = stage.random.between(1, 4); rounds > 0; rounds -= 1) {
    await use(stage, access);
    const from = refresh;
    const again = await stage.untilAnswered((node) => stage.requests.refresh(node, { grant, user, from }));
    if (again?.what !== 'refresh' || !again.access || !again.refresh) return;
    stage.known.add(again.access, again.refresh);
    ({ access, refresh } = { access: again.access, refresh: again.refresh });
    if (stage.random.next() < 0.3) await look(stage, from, again);
  }
  const chance = stage.random.next();
  if (chance < 0.2) return;
  const token = chance < 0.7 ? refresh : access;
  const ended = await stage.untilAnswered((node) =>
    stage.requests.revoke(node, { token, grant: token === refresh ? grant : null }),
  );
  if (ended?.result === 'done') await look(stage, access, ended);
}

interface Tokens {
  grant: string;
  access: string;
  refresh: string;
}

async function exchanged(stage: Stage, user: string): Promise<Tokens | null> {
  const code = await stage.cast.newCode(user).catch(() => null);
  if (!code) {
    await pause(200);
    return null;
  }
  const done = await stage.untilAnswered((node) => stage.requests.exchange(node, code));
  if (done?.what !== 'exchange' || !done.access || !done.refresh) return null;
  stage.known.add(done.access, done.refresh);
  return { grant: done.grant, access: done.access, refresh: done.refresh };
}

/** Grants of one user, all ended at once. The user belongs to this actor. */
async function manyTokens(stage: Stage): Promise<void> {
  const user = ownUser(stage);
  const families: Tokens[] = [];
  for (let count = 0; count < 3; count += 1) {
    const one = await exchanged(stage, user);
    if (one) families.push(one);
  }
  const ended = await stage.untilAnswered((node) => stage.requests.revokeUser(node, user));
  if (ended?.result !== 'done') return;
  const tokens = families.flatMap(({ access, refresh }) => [access, refresh]);
  if (tokens.length > 0)
    for (const node of stage.otherNodes(ended.node)) await stage.requests.introspectAll(node, tokens);
}

const owners = new WeakMap<Stage, string>();
const taken = new WeakMap<object, number>();

function ownUser(stage: Stage): string {
  const known = owners.get(stage);
  if (known) return known;
  const count = taken.get(stage.cast) ?? 0;
  taken.set(stage.cast, count + 1);
  const user = stage.cast.users[count % 4] ?? '';
  owners.set(stage, user);
  return user;
}

/** Webhook endpoints, each with a key of its own, and now and then asked for once more. */
async function creates(stage: Stage): Promise<void> {
  const issued = await stage.untilAnswered((node) => stage.requests.issue(node));
  const token = issued?.what === 'issue' ? issued.token : undefined;
  if (token === undefined) return;
  stage.known.add(token);
  for (let count = 0; count < 4 && !stage.isOver(); count += 1) {
    const key = stage.newName();
    await stage.untilAnswered((node) => stage.requests.create(node, { token, key }));
    if (stage.random.next() < 0.3)
      await stage.untilAnswered((node) => stage.requests.create(node, { token, key }));
    await pause(150);
  }
}

/** Events of the API, each batch until it is answered, and now and then once more. */
async function publishes(stage: Stage): Promise<void> {
  const events = Array.from({ length: stage.random.between(1, 3) }, () => newEvent(stage));
  await stage.untilAnswered((node) => stage.requests.publish(node, events));
  if (stage.random.next() < 0.2) await stage.untilAnswered((node) => stage.requests.publish(node, events));
  await pause(150);
}

function newEvent(stage: Stage): PublishedFacts {
  const id = stage.newName();
  const data = {
    id,
    customer: 'Ada',
    lines: [{ sku: 'umbrella', quantity: stage.random.between(1, 9) }],
    total: { amount: '12.50', currency: 'EUR' },
    state: 'placed',
    note: id,
  };
  return { id, data: JSON.stringify(data) };
}

/** Asks about what others have, a few at a time and one by one. */
async function watches(stage: Stage): Promise<void> {
  const tokens = stage.known.sample(stage.random, 20);
  if (tokens.length === 0) return;
  await stage.requests.introspectAll(stage.anyNode(), tokens);
  const [token = ''] = tokens;
  await stage.requests.introspect(stage.anyNode(), token);
}

async function use(stage: Stage, token: string): Promise<void> {
  await stage.requests.introspect(stage.anyNode(), token);
  await stage.requests.call(stage.anyNode(), token);
  if (stage.random.next() < 0.2)
    await stage.requests.order(stage.anyNode(), { token, note: stage.newName() });
}

/** At once after an end of access was acknowledged: at every other node, and at the one that has answered. */
async function look(stage: Stage, token: string, { node }: Operation): Promise<void> {
  const [one, other] = stage.random.shuffled(stage.otherNodes(node));
  if (one) await stage.requests.introspect(one, token);
  if (other) await stage.requests.call(other, token);
  await stage.requests.introspect(stage.anyNode(), token);
}
