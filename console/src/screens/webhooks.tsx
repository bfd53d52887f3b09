import { answerOf, api, type ItemOf } from '../api.ts';
import { Badge } from '../parts/badge.tsx';
import { Events } from '../parts/events.tsx';
import { VersionChoice } from '../parts/filters.tsx';
import { LastFailure } from '../parts/last-failure.tsx';
import { Choice, List, Search } from '../parts/list.tsx';
import { Named } from '../parts/named.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { hrefOf, query } from '../router.ts';

type Endpoint = ItemOf<'/operator/webhooks/endpoints'>;

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  if (!endpoint.enabled) return <Badge tone="bad">{`disabled: ${endpoint.disabled_reason}`}</Badge>;
  if (endpoint.failing_since) return <Badge tone="warning">failing</Badge>;
  return endpoint.last_success_at ? <Badge tone="good">well</Badge> : <Badge tone="quiet">unused</Badge>;
}

const columns: readonly Column<Endpoint>[] = [
  { name: 'Address', isText: true, shows: ({ id, url }) => <Named kind="endpoint" id={id} name={url} /> },
  {
    name: 'State',
    shows: (endpoint) => (
      <>
        <EndpointState endpoint={endpoint} />
        {endpoint.failing_since && (
          <span class="hint">
            since <Time at={endpoint.failing_since} />
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Last error',
    isText: true,
    shows: ({ last_failure: failure }) => <LastFailure failure={failure} />,
  },
  { name: 'Last success', shows: ({ last_success_at }) => <Time at={last_success_at} none="never" /> },
  {
    name: 'Version',
    isText: true,
    shows: ({ api_version, pinned_version }) =>
      api_version === pinned_version ? api_version : `${api_version} (pinned to ${pinned_version}, removed)`,
  },
  {
    name: 'Organization',
    isText: true,
    shows: ({ organization_id: id, organization_name: name }) => (
      <Named kind="organization" id={id} name={name} />
    ),
  },
];

type Condition = 'healthy' | 'failing' | 'disabled';

export function WebhooksScreen() {
  const [search, condition, version, view] = ['search', 'condition', 'version', 'view'].map(
    (name) => query.value.get(name) ?? '',
  );
  return (
    <>
      <h1>Webhooks</h1>
      <p class="tabs">
        <a href={hrefOf('/webhooks')} aria-current={view === 'events' ? undefined : 'page'}>
          Endpoints
        </a>
        <a href={hrefOf('/webhooks?view=events')} aria-current={view === 'events' ? 'page' : undefined}>
          Events
        </a>
      </p>
      {view === 'events' ? (
        <Events />
      ) : (
        <>
          <div class="tools">
            <Search label="Address or id" />
            <Choice
              label="Condition"
              name="condition"
              options={[
                ['', 'all'],
                ['failing', 'failing'],
                ['disabled', 'disabled'],
                ['healthy', 'healthy'],
              ]}
            />
            <VersionChoice />
          </div>
          <List
            caption="Webhook endpoints"
            columns={columns}
            keyOf={({ id }) => id}
            changes={[search, condition, version]}
            load={(cursor) =>
              answerOf(
                api.GET('/operator/webhooks/endpoints', {
                  params: {
                    query: {
                      ...(cursor === undefined ? {} : { cursor }),
                      ...(search ? { search } : {}),
                      ...(condition ? { condition: condition as Condition } : {}),
                      ...(version ? { api_version: version } : {}),
                    },
                  },
                }),
              )
            }
            empty={
              search || condition || version
                ? 'No endpoint matches.'
                : 'There is no webhook endpoint yet. Integrators create them with POST /v1/webhooks/endpoints.'
            }
          />
        </>
      )}
    </>
  );
}
