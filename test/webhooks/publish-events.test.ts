import { expect, it } from 'vitest';
import { chores } from '../../src/compose/background/chores.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { newId } from '../../src/kernel/ids.ts';
import { statement } from '../../src/storage/statement.ts';
import { type PublishedEvent, publishEvents } from '../../src/webhooks/publishing/publish-events.ts';
import { insertClaims } from '../../src/webhooks/publishing/store.ts';
import { occurrenceIdPrefix } from '../../src/webhooks/types.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { writtenReader } from '../support/service/written-reader.ts';
import { orderEvent, publishGood, withFolderKinds } from '../support/webhooks/folder-events.ts';
import { buildWithFolderKinds } from '../support/webhooks/folder-kinds.ts';

const DAY = 24 * 3_600;

const WAITING = statement(
  'test_waiting_for_locks',
  `select pid from pg_catalog.pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`,
);

onPostgresFirst('events that are published from outside', (engine) => {
  const environments = useTestEnvironments(engine);

  async function stage() {
    const sandbox = withFolderKinds(environments.sandbox);
    const { organization } = await createGrantedUser(sandbox);
    return { sandbox, order: orderEvent.bind(null, organization.id), organizationId: organization.id };
  }

  async function occurrencesOf({ session }: Environment, organizationId: string): Promise<string[]> {
    const found = await session
      .tables<{ occurrences: { id: string; organization_ids: string[] } }>()
      .selectFrom('occurrences')
      .selectAll()
      .execute();
    return found.filter((row) => row.organization_ids.includes(organizationId)).map(({ id }) => id);
  }

  it('are published without a wait for nodes that read from standbys', async () => {
    const { sandbox, order } = await stage();
    const reader = writtenReader(async () => sandbox.session, {
      waits: () => sandbox.untilReadersSee.counts.waits,
    });
    const published = await reader.notHeldBack(() =>
      publishGood(sandbox, [order('free'), order('free too')]),
    );
    expect(published).toHaveLength(2);
    await reader.leave();
  });

  it('[own events] publishers that send the same ids at the same time, in different orders, publish each once', async () => {
    const { sandbox, order, organizationId } = await stage();
    const orders = Array.from({ length: 200 }, (_, number) => order(`order-${number}`));
    const batches = [orders, orders.toReversed(), orders.slice(100), orders.toReversed().slice(50), orders];
    const answers = await Promise.all(batches.map((batch) => publishGood(sandbox, batch)));
    const told = answers.flat();
    expect(new Set(told.map(({ occurrenceId }) => occurrenceId)).size).toBe(200);
    expect(told.filter(({ already }) => !already)).toHaveLength(200);
    const ids = new Map(answers[0]?.map(({ givenId, occurrenceId }) => [givenId, occurrenceId]));
    expect(told.filter(({ givenId, occurrenceId }) => ids.get(givenId) !== occurrenceId)).toEqual([]);
    expect((await occurrencesOf(sandbox, organizationId)).sort()).toEqual([...ids.values()].sort());
  });

  // One session cannot wait for another where there is only one.
  it.runIf(engine === 'PostgreSQL')(
    '[own events] two batches with the same ids in different orders wait for each other, and never both',
    async () => {
      const { sandbox, order, organizationId } = await stage();
      const [first, middle, last] = [order('a'), order('m'), order('z')];
      const digest = Buffer.alloc(32);
      const occurrenceId = newId<'occurrence'>(occurrenceIdPrefix, environments.clock.now());
      let publishing: Promise<unknown> = Promise.resolve();
      // Somebody holds the id in the middle while both begin, and gives it back.
      const holding = sandbox.transaction(async ({ session }) => {
        await insertClaims(session, [{ organizationId, givenId: middle.givenId, occurrenceId, digest }]);
        const batches = [
          [first, middle, last],
          [last, middle, first],
        ];
        publishing = Promise.all(batches.map((batch) => publishGood(sandbox, batch)));
        await expect.poll(async () => (await sandbox.session.run(WAITING, [])).length).toBe(2);
        throw new Error('given back');
      });
      await expect(holding).rejects.toThrow('given back');
      const answers = (await publishing) as PublishedEvent[][];
      expect(answers.flat().filter(({ already }) => !already)).toHaveLength(3);
      expect(await occurrencesOf(sandbox, organizationId)).toHaveLength(3);
    },
  );

  it('[own events] of two publishers with other data under one id, at the same time, one is refused with its whole batch', async () => {
    const { sandbox, order, organizationId } = await stage();
    const publish = (batch: string, total: number) =>
      publishGood(sandbox, [
        order(`${batch}-first`),
        order('contested', { data: { order: 'ord', total, currency: 'eur' } }),
        order(`${batch}-last`),
      ]);
    const outcomes = await Promise.allSettled([publish('a', 1), publish('b', 2)]);
    const refusals = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refusals.map(({ reason }) => [reason.code, reason.detail])).toEqual([
      [
        'conflict',
        'events[1].id contested was used before, with another type or other data. Nothing of this batch was published.',
      ],
    ]);
    expect(await occurrencesOf(sandbox, organizationId)).toHaveLength(3);
  });

  it('[own events] an id is another one in another organization', async () => {
    const { sandbox, order } = await stage();
    const { organization: other } = await createGrantedUser(sandbox);
    const [own, others] = await publishGood(sandbox, [order('shared'), orderEvent(other.id, 'shared')]);
    expect([own?.already, others?.already]).toEqual([false, false]);
    expect(own?.occurrenceId).not.toBe(others?.occurrenceId);
  });

  it('[own events] an id is kept as long as events are: a week longer than what they told', async () => {
    const { sandbox, order, organizationId } = await stage();
    const { clock } = environments;
    async function tidy(): Promise<void> {
      for (const chore of chores) while ((await chore.removeSome(sandbox, clock.now(), null)).more);
    }
    const publish = async () => (await publishGood(sandbox, [order('kept')]))[0];
    const first = await publish();
    clock.advanceSeconds(97 * DAY);
    await tidy();
    expect(await occurrencesOf(sandbox, organizationId)).toEqual([]);
    expect(await publish()).toEqual({ ...first, already: true });
    clock.advanceSeconds(1);
    await tidy();
    const again = await publish();
    expect(again).toMatchObject({ already: false });
    expect(again?.occurrenceId).not.toBe(first?.occurrenceId);
  });

  it('[own events] what was published before is there already, whatever the contract says of it by now', async () => {
    const { sandbox, order } = await stage();
    const old = order('old', { occurredAt: new Date(environments.clock.now().getTime() - 89 * DAY * 1000) });
    const [first] = await publishGood(sandbox, [old]);
    environments.clock.advanceSeconds(2 * DAY);
    expect(await publishGood(sandbox, [old])).toEqual([{ ...first, already: true }]);
    const kindless = { ...buildWithFolderKinds().folderKinds, kinds: new Set(['order.refunded']) };
    const publication = { events: [old], folderKinds: kindless, dryRun: false };
    expect(await publishEvents(sandbox, publication)).toEqual({ published: [{ ...first, already: true }] });
  });
});
