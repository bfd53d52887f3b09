import { expect, it } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import { removalInstant } from '../../src/releases/lifecycle.ts';
import { announceReleases } from '../../src/releases/notices/announce-releases.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { current, deprecated } from '../support/build-versions.ts';
import { onEmbeddedFirst } from '../support/databases.ts';
import { createGrantedUser } from '../support/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/test-environment.ts';

const DAY_MS = 86_400_000;

onEmbeddedFirst('removal notices', (engine) => {
  const environments = useTestEnvironments(engine);

  interface Announced {
    organization_ids: string[];
    data: { version: string; days_left: number; removed_at: string; successor: string };
  }

  async function announced(): Promise<Announced[]> {
    return (await environments.sandbox.session
      .tables<{ occurrences: Announced & { type: string; id: string } }>()
      .selectFrom('occurrences')
      .selectAll()
      .where('type', '=', 'api_version.removal_notice')
      .orderBy('id')
      .execute()) as Announced[];
  }

  async function announce(): Promise<void> {
    const versions = createVersions(environments.clock);
    const state = { lifecycle: versions.lifecycle(), ledger: [] };
    // Two nodes that run at the same time publish it once.
    await Promise.all([
      announceReleases(environments.sandbox, state),
      announceReleases(environments.sandbox, state),
    ]);
  }

  it('are published 30, 7 and 1 days ahead, once each, to organizations pinned to the version', async () => {
    const { sandbox, clock } = environments;
    const { organization } = await createGrantedUser(sandbox);
    const { organization: other } = await createGrantedUser(sandbox);
    const box = await openSecretBox(sandbox, { configured: [Buffer.alloc(32, 1)], path: '/nowhere' });
    for (const [owner, apiVersion] of [
      [organization, deprecated],
      [other, current],
    ] as const)
      await createEndpoint(
        sandbox,
        {
          organizationId: owner.id,
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
    const removedAt = removalInstant(deprecated, []) as Date;
    const at = (days: number): void => clock.set(new Date(removedAt.getTime() - days * DAY_MS));
    at(31);
    await announce();
    expect(await announced()).toEqual([]);
    for (const [index, days] of [30, 7, 1].entries()) {
      at(days);
      await announce();
      await announce();
      const notices = await announced();
      expect(notices).toHaveLength(index + 1);
      expect(notices[index]?.data).toEqual({
        version: deprecated,
        removed_at: removedAt.toISOString(),
        days_left: days,
        successor: current,
      });
      expect(notices[index]?.organization_ids).toEqual([organization.id]);
    }
  });
});
