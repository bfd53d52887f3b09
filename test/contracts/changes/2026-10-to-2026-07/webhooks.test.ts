import { apiVersion } from '@dateline/versions';
import { expect, it } from 'vitest';
import { onPostgresFirst } from '../../../support/database/databases.ts';
import { middleOf } from '../../../support/service/build-versions.ts';
import { ENDPOINTS, useWebhooks } from '../../../support/webhooks/webhooks.ts';

const [OLDER, NEWER] = [apiVersion('2026-07'), apiVersion('2026-10')];

onPostgresFirst('2026-10 against 2026-07, in webhooks', (engine) => {
  const { ask, create, endpoint, eventsOf } = useWebhooks(engine, middleOf(NEWER), NEWER);
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }: { type: string }) => type);

  it('[webhooks 13] call archiving product.archived in the newer one, and product.updated in the older', async () => {
    const [older, newer] = [
      await endpoint({ api_version: OLDER, events: ['product.updated'] }),
      await endpoint({ api_version: NEWER, events: ['product.*'] }),
    ];
    await ask(NEWER, 'POST', `/v1/products/${await create({}, NEWER)}/archive`);
    expect(await typesOf(older.id)).toEqual(['product.updated']);
    expect((await typesOf(newer.id)).sort()).toEqual(['product.archived', 'product.created']);
    const byType = { type: 'product.archived', api_version: OLDER };
    const { body } = await ask(NEWER, 'POST', `${ENDPOINTS}/${newer.id}/preview`, byType);
    expect(body).toMatchObject({ to: { api_version: OLDER, payload: null }, differences: [] });
  });
});
