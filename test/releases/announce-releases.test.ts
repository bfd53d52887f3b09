import { expect, it } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import { frozenVersions } from '../../src/contracts/api.ts';
import { announceReleases } from '../../src/releases/notices/announce-releases.ts';
import { createReleaseDesk } from '../../src/releases/release-desk.ts';
import { type Lifecycle, lifecycleAt } from '../../src/releases/release-ledger.ts';
import { readLedger } from '../../src/releases/store.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { afterNext, current, deprecated, next, releaseAt } from '../support/service/build-versions.ts';
import { type TestEnvironments, useTestEnvironments } from '../support/service/test-environment.ts';

const DAY_MS = 86_400_000;

interface Announced {
  type: string;
  organization_ids: string[];
  data: Record<string, unknown>;
}

async function announcedIn({ sandbox }: TestEnvironments): Promise<Announced[]> {
  const found = await sandbox.session
    .tables<{ occurrences: Announced & { id: string } }>()
    .selectFrom('occurrences')
    .select(['type', 'organization_ids', 'data'])
    .where('type', 'like', 'api_version.%')
    .orderBy('id')
    .execute();
  return found as Announced[];
}

/** Two nodes that run at the same time publish it once. */
async function announceTwice({ sandbox }: TestEnvironments, lifecycle: Lifecycle): Promise<void> {
  await Promise.all([announceReleases(sandbox, lifecycle), announceReleases(sandbox, lifecycle)]);
}

async function organizationWithEndpoint({ sandbox }: TestEnvironments, apiVersion: string): Promise<string> {
  const { organization } = await createGrantedUser(sandbox);
  const box = await openSecretBox(sandbox, { configured: [Buffer.alloc(32, 1)], path: '/nowhere' });
  await createEndpoint(
    sandbox,
    {
      organizationId: organization.id,
      url: 'https://receiver.example.com/',
      format: 'raw',
      events: ['*'],
      apiVersion,
      enabled: true,
      description: null,
      maxPerSecond: null,
    },
    { box, rules: { ports: [443], loopback: false }, actor: { type: 'system', id: null } },
  );
  return organization.id;
}

onEmbeddedFirst('removal notices', (engine) => {
  const environments = useTestEnvironments(engine);
  const announce = () => announceTwice(environments, createVersions(environments.clock).lifecycle());
  const at = (days: number): void => environments.clock.set(new Date(releaseAt.getTime() - days * DAY_MS));

  it('are published 30, 7 and 1 days ahead, once each, to organizations pinned to the version', async () => {
    const owner = await organizationWithEndpoint(environments, deprecated);
    await organizationWithEndpoint(environments, current);
    at(31);
    await announce();
    expect(await announcedIn(environments)).toEqual([]);
    for (const [index, days] of [30, 7, 1].entries()) {
      at(days);
      await announce();
      await announce();
      const notices = await announcedIn(environments);
      expect(notices).toHaveLength(index + 1);
      expect(notices[index]).toEqual({
        type: 'api_version.removal_notice',
        organization_ids: [owner],
        data: {
          version: deprecated,
          removed_at: releaseAt.toISOString(),
          days_left: days,
          successor: current,
          rehearsal: false,
        },
      });
    }
  });
});

onEmbeddedFirst('notices of releases that are decided by hand', (engine) => {
  const environments = useTestEnvironments(engine);
  const desk = createReleaseDesk({
    frozen: frozenVersions(),
    held: new Map([deprecated, current, next, afterNext].map((version) => [version, `hash of ${version}`])),
    rehearsals: true,
    windowed: false,
  });
  const decision = { actor: 'operator', reason: '' };

  /** As a node announces that has read the ledger now. */
  async function announce(): Promise<void> {
    const { sandbox, clock } = environments;
    const ledger = await readLedger(sandbox.session);
    await announceTwice(environments, lifecycleAt(frozenVersions(), ledger, clock.now()) as Lifecycle);
  }

  it('[outside 13] say how many days are left, not how many there should be', async () => {
    const { sandbox, clock } = environments;
    await organizationWithEndpoint(environments, deprecated);
    await desk.schedule(sandbox, new Date(clock.now().getTime() + 3 * DAY_MS), decision);
    await announce();
    await desk.run(sandbox, decision);
    await announce();
    const notices = (await announcedIn(environments)).map(({ data }) => data);
    expect(notices.map(({ days_left, rehearsal }) => ({ days_left, rehearsal }))).toEqual([
      { days_left: 3, rehearsal: true },
      { days_left: 0, rehearsal: true },
    ]);
  });

  it('[outside 13] announce a rehearsal and its undo as such, once each, and the release when it comes', async () => {
    const { sandbox, clock } = environments;
    const before = (await announcedIn(environments)).length;
    const news = async () =>
      (await announcedIn(environments))
        .slice(before)
        .filter(({ type }) => type !== 'api_version.removal_notice')
        .map(({ type, data }) => [type, data.version, data.rehearsal]);
    clock.advanceSeconds(3);
    await announce();
    const released = ['api_version.released', next, true];
    expect(await news()).toEqual([released]);
    await desk.undo(sandbox, decision);
    // Between the decision and its effect.
    clock.advanceSeconds(1);
    await announce();
    expect(await news()).toEqual([released]);
    clock.advanceSeconds(2);
    await announce();
    await announce();
    expect(await news()).toEqual([released, ['api_version.release_undone', next, true]]);
    expect((await announcedIn(environments)).at(-1)?.data).toMatchObject({
      current_version: current,
      deprecated_version: deprecated,
    });
    // The day of the release itself, with a build that has frozen the version.
    clock.set(releaseAt);
    const ledger = await readLedger(sandbox.session);
    const frozen = [...frozenVersions(), next];
    await announceTwice(environments, lifecycleAt(frozen, ledger, clock.now()) as Lifecycle);
    expect((await news()).at(-1)).toEqual(['api_version.released', next, false]);
  });
});
