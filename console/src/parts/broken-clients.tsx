import type { BodyOf } from '../api.ts';
import { hrefOf } from '../router.ts';
import { Named } from './named.tsx';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

interface BrokenClientsProps {
  broken: BodyOf<'/operator/release/broken'>;
  /** How many of them; all if it is not given. */
  shown?: number;
}

/** The clients that ask for the version that the last release removed. */
export function BrokenClients({ broken, shown }: BrokenClientsProps) {
  const { version, removed_version: removed, since, items, unnamed_requests: unnamed } = broken;
  const rows = items.slice(0, shown ?? items.length);
  const more = items.length - rows.length;
  return (
    <section aria-label="Broken since the release">
      <h2>Broken since the release of {version}</h2>
      <p>
        {removed} was removed <Time at={since} none="then" />
        {rows.length > 0 && '; these clients still ask for it, and are refused'}.
      </p>
      {rows.length === 0 ? (
        <Notice kind="done">No client that is known has asked for {removed} since.</Notice>
      ) : (
        <Table
          caption="Broken clients"
          rows={rows}
          keyOf={({ client_id }) => client_id}
          columns={[
            ...clientColumns,
            { name: 'Calls', shows: (client) => callsText(client) },
            { name: 'Refused', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
            { name: 'Last', shows: ({ last_at }) => <Time at={last_at} /> },
          ]}
        />
      )}
      <p>
        {more > 0 && <a href={hrefOf('/versions')}>{more.toLocaleString()} more</a>}{' '}
        {unnamed > 0 &&
          `${unnamed.toLocaleString()} ${unnamed === 1 ? 'request' : 'requests'} for ${removed} of callers that are not known.`}
      </p>
    </section>
  );
}

type NamedClient = Pick<
  BodyOf<'/operator/release/broken'>['items'][number],
  'client_id' | 'client_name' | 'organization_id' | 'organization_name'
>;

/** A client and its organization, as everybody calls them. */
export const clientColumns: readonly Column<NamedClient>[] = [
  {
    name: 'Client',
    isText: true,
    shows: ({ client_id: id, client_name: name }) => <Named kind="client" id={id} name={name} />,
  },
  {
    name: 'Organization',
    isText: true,
    shows: ({ organization_id: id, organization_name: name }) => (
      <Named kind="organization" id={id} name={name} />
    ),
  },
];

const CALLS_SHOWN = 3;

/** The first operations of a client, and how many more there are. */
export function callsText({
  operations,
  operation_count: count,
}: {
  operations: readonly string[];
  operation_count: number;
}): string {
  const names = operations.slice(0, CALLS_SHOWN);
  const more = count - names.length;
  if (count === 0) return 'not known';
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
