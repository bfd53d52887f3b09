import { answerOf, api, type BodyOf } from '../api.ts';
import type { paths } from '../generated/operator-api.ts';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/list.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { saveCsv } from '../parts/save-csv.ts';
import { Table } from '../parts/table.tsx';
import { UsagePlot } from '../parts/usage-plot.tsx';
import { query, withQuery } from '../router.ts';

type Item = BodyOf<'/operator/usage'>['items'][number];

/** How the version of a request was chosen, as a filter. */
type ChoiceOf = NonNullable<NonNullable<paths['/operator/usage']['get']['parameters']['query']>['choice']>;
const choices: Readonly<Record<ChoiceOf, string>> = {
  pinned: 'pinned: they name it',
  defaulted: 'defaulted: they name none',
  rejected_removed: 'rejected: removed',
  rejected_unknown: 'rejected: unknown',
  rejected_malformed: 'rejected: malformed',
};

export function UsageScreen() {
  const days = Number(query.value.get('days') ?? 30);
  const by = query.value.get('by') === 'organization' ? 'organization' : 'client';
  const version = query.value.get('version') ?? undefined;
  const choice = (query.value.get('choice') ?? undefined) as ChoiceOf | undefined;
  const read = (group: string, only: { version?: string; choice?: ChoiceOf }) =>
    answerOf(api.GET('/operator/usage', { params: { query: { days, group, ...only } } }));
  const { state } = useLoaded(
    async () => {
      const only = { ...(version && { version }), ...(choice && { choice }) };
      const [sums, users] = await Promise.all([
        read('version,choice', {}),
        read(`version,choice,${by}`, only),
      ]);
      return { sums: sums.items, users };
    },
    [days, by, version, choice],
    { everySeconds: 30 },
  );
  const known = state.is === 'there' ? versionsIn(state.data.sums) : [];
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
          label="Version"
          name="version"
          options={[
            ['', 'all'],
            ...[...new Set([...known, ...(version ? [version] : [])])]
              .sort()
              .map((one): [string, string] => [one, one]),
          ]}
        />
        <Choice label="Chosen" name="choice" options={[['', 'in any way'], ...Object.entries(choices)]} />
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
        {({ sums, users }) => (
          <>
            <h2>How versions are chosen</h2>
            <Choices items={sums.filter((item) => version === undefined || item.version === version)} />
            <header class="head">
              <h2>Who uses {version ?? 'what'}</h2>
              <button type="button" onClick={() => saveCsv('usage.csv', users.items.map(rowOf))}>
                Save as CSV
              </button>
            </header>
            {users.truncated && (
              <Notice kind="warning">
                Only the {users.items.length.toLocaleString()} with the most requests are shown: choose a
                version, or how it was chosen.
              </Notice>
            )}
            <Users items={users.items} />
          </>
        )}
      </Shown>
    </>
  );
}

const versionsIn = (items: readonly Item[]): string[] => items.flatMap(({ version }) => version ?? []);

/** Pinned against defaulted, and what was rejected. Each leads to those who do so. */
function Choices({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return <Notice kind="empty">No request was counted in these days.</Notice>;
  const sums = Object.keys(choices)
    .map((choice) => ({ choice, requests: sumOf(items.filter((item) => item.choice === choice)) }))
    .filter(({ requests }) => requests > 0);
  return (
    <Table
      caption="Requests by how their version was chosen"
      rows={sums}
      keyOf={({ choice }) => choice}
      columns={[
        {
          name: 'Choice',
          shows: ({ choice }) => <a href={withQuery({ choice })}>{choice.replaceAll('_', ' ')}</a>,
        },
        { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
      ]}
    />
  );
}

const sumOf = (items: readonly Item[]): number => items.reduce((sum, { requests }) => sum + requests, 0);

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
              <>
                <Named kind="client" id={item.client_id} name={item.client_name} />{' '}
                {item.client_deleted && <Badge tone="quiet">deleted</Badge>}
              </>
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
