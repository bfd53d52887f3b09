import { answerOf, api, type BodyOf } from '../api.ts';
import { Choice } from '../parts/list.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { saveCsv } from '../parts/save-csv.ts';
import { Table } from '../parts/table.tsx';
import { UsagePlot } from '../parts/usage-plot.tsx';
import { query } from '../router.ts';

type Item = BodyOf<'/operator/usage'>['items'][number];

export function UsageScreen() {
  const days = Number(query.value.get('days') ?? 30);
  const by = query.value.get('by') === 'organization' ? 'organization' : 'client';
  const { state } = useLoaded(
    () =>
      Promise.all(
        ['choice', `version,choice,${by}`].map((group) =>
          answerOf(api.GET('/operator/usage', { params: { query: { days, group } } })),
        ),
      ),
    [days, by],
    { everySeconds: 30 },
  );
  return (
    <>
      <h1>Usage</h1>
      <div class="tools">
        <Choice
          label="Time"
          name="days"
          options={[
            ['', '30 days'],
            ['7', '7 days'],
            ['90', '90 days'],
          ]}
        />
        <Choice
          label="By"
          name="by"
          options={[
            ['', 'client'],
            ['organization', 'organization'],
          ]}
        />
      </div>
      <h2>Requests by version</h2>
      <UsagePlot days={days} />
      <Shown state={state}>
        {([choices, users]) => (
          <>
            <h2>How versions are chosen</h2>
            <Choices items={choices?.items ?? []} />
            <header class="head">
              <h2>Who uses what</h2>
              <button type="button" onClick={() => saveCsv('usage.csv', (users?.items ?? []).map(rowOf))}>
                Save as CSV
              </button>
            </header>
            {users?.truncated && <Notice kind="warning">Only the most frequent ones are shown.</Notice>}
            <Users items={users?.items ?? []} />
          </>
        )}
      </Shown>
    </>
  );
}

/** Pinned against defaulted, and what was rejected. */
function Choices({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return <Notice kind="empty">No request was counted in these days.</Notice>;
  return (
    <Table
      caption="Requests by how their version was chosen"
      rows={items}
      keyOf={({ choice = '' }) => choice}
      columns={[
        { name: 'Choice', shows: ({ choice = '' }) => choice.replaceAll('_', ' ') },
        { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
      ]}
    />
  );
}

function Users({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return <Notice kind="empty">No request was counted in these days.</Notice>;
  return (
    <Table
      caption="Requests by client or organization, version and choice"
      rows={items}
      keyOf={(item) => JSON.stringify(rowOf(item))}
      columns={[
        {
          name: 'Who',
          isText: true,
          shows: (item) =>
            item.client_id ? (
              <Named kind="client" id={item.client_id} name={item.client_name} />
            ) : (
              <Named
                kind="organization"
                id={item.organization_id}
                name={item.organization_name}
                none="without a client"
              />
            ),
        },
        { name: 'Version', shows: ({ version }) => version ?? 'none', isWord: true },
        { name: 'Choice', shows: ({ choice = '' }) => choice.replaceAll('_', ' ') },
        { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
        { name: 'Last day', shows: ({ last_day }) => last_day, isWord: true },
      ]}
    />
  );
}

const rowOf = (item: Item): Record<string, string> => ({
  client_id: item.client_id ?? '',
  client_name: item.client_name ?? '',
  organization_id: item.organization_id ?? '',
  organization_name: item.organization_name ?? '',
  version: item.version ?? '',
  choice: item.choice ?? '',
  requests: String(item.requests),
  last_day: item.last_day,
});
