import { answerOf, api, type ItemOf } from '../api.ts';
import { FailureGroups } from '../parts/failure-groups.tsx';
import { filtersIn, Period, VersionChoice } from '../parts/filters.tsx';
import { List, Search } from '../parts/list.tsx';
import { Named, Titled } from '../parts/named.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { withQuery } from '../router.ts';

type Failed = ItemOf<'/operator/failed-requests'>;

const columns: readonly Column<Failed>[] = [
  {
    name: 'Request',
    isText: true,
    shows: ({ at, request_id: id }) => (
      <Titled id={id}>
        <Time at={at} />
      </Titled>
    ),
  },
  {
    name: 'Client',
    isText: true,
    shows: ({ client_id: id, client_name: name }) => <Named kind="client" id={id} name={name} />,
  },
  {
    name: 'Operation',
    isText: true,
    shows: ({ operation, method, route }) => operation ?? `${method} ${route}`,
  },
  { name: 'Asked for', shows: ({ requested_version: asked }) => asked ?? 'none', isWord: true },
  { name: 'Version', shows: ({ version }) => version, isWord: true },
  { name: 'Answer', shows: ({ status, code }) => `${status} ${code ?? ''}` },
  { name: 'ms', shows: ({ duration_ms }) => duration_ms, isFigure: true },
];

/** Of groups, too. */
const GROUP_FILTERS = ['version', 'requested_version', 'since', 'until'] as const;
/** Of single requests, which are listed as soon as one of these is given. */
const REQUEST_FILTERS = ['request_id', 'client_id', 'operation', 'code'] as const;

const groupsAddress = () =>
  withQuery(Object.fromEntries([...REQUEST_FILTERS, 'view'].map((name) => [name, ''])));

export function RequestsScreen() {
  const filters = filtersIn([...GROUP_FILTERS, ...REQUEST_FILTERS]);
  const isFiltered = Object.keys(filtersIn([...REQUEST_FILTERS, 'view'])).length > 0;
  return (
    <>
      <h1>Failed requests</h1>
      <p>
        Requests to the API of the last 7 days that were answered with an error. Nothing of what was sent is
        stored.
      </p>
      <div class="tools">
        <Search label="Request id" name="request_id" />
        <VersionChoice />
        <Search label="Version asked for" name="requested_version" />
        <Period />
        {isFiltered && <a href={groupsAddress()}>Show all groups</a>}
      </div>
      {isFiltered ? (
        <List
          caption="Failed requests"
          columns={columns}
          keyOf={({ id }) => id}
          changes={[JSON.stringify(filters)]}
          load={(cursor) =>
            answerOf(
              api.GET('/operator/failed-requests', {
                params: { query: { ...filters, ...(cursor === undefined ? {} : { cursor }) } },
              }),
            )
          }
          empty="No failed request of the last 7 days matches."
        />
      ) : (
        <FailureGroups filters={filtersIn(GROUP_FILTERS)} />
      )}
    </>
  );
}
