import { answerOf, api } from '../api.ts';
import { hrefOf } from '../router.ts';
import { Shown, useLoaded } from './loading.tsx';
import { Named } from './named.tsx';
import { Notice } from './notice.tsx';
import { Table } from './table.tsx';
import { Time } from './time.tsx';

type GroupFilters = Partial<
  Record<'client_id' | 'version' | 'requested_version' | 'since' | 'until', string>
>;

/** Failed requests, by how they failed. */
export function FailureGroups({ filters: query = {} }: { filters?: GroupFilters }) {
  const { state } = useLoaded(
    () => answerOf(api.GET('/operator/failed-requests/groups', { params: { query } })),
    [JSON.stringify(query)],
    { everySeconds: 15 },
  );
  return (
    <Shown state={state}>
      {({ items }) =>
        items.length === 0 ? (
          <Notice kind="empty">
            {Object.keys(query).length === 0
              ? 'Nothing failed in the last 7 days.'
              : 'Nothing of the last 7 days matches.'}
          </Notice>
        ) : (
          <Table
            caption="Failed requests by client, operation, version and code"
            rows={items}
            keyOf={(group) => JSON.stringify(group)}
            columns={[
              { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
              {
                name: 'Client',
                isText: true,
                shows: ({ client_id: id, client_name: name }) => <Named kind="client" id={id} name={name} />,
              },
              { name: 'Operation', shows: ({ operation }) => operation ?? 'none matched', isText: true },
              { name: 'Asked for', shows: ({ requested_version: asked }) => asked ?? 'none', isWord: true },
              { name: 'Version', shows: ({ version }) => version, isWord: true },
              { name: 'Answer', shows: ({ status, code }) => `${status} ${code ?? ''}` },
              { name: 'Last', shows: ({ last_at }) => <Time at={last_at} /> },
              {
                name: '',
                shows: ({ client_id, operation, requested_version, version, code }) => (
                  <a
                    href={hrefOf(
                      `/requests?${searchOf({ ...query, client_id, operation, requested_version, version, code, view: 'each' })}`,
                    )}
                  >
                    Each
                  </a>
                ),
              },
            ]}
          />
        )
      }
    </Shown>
  );
}

function searchOf(filters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(filters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return new URLSearchParams(given as [string, string][]).toString();
}
