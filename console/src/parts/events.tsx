import { useEffect } from 'preact/hooks';
import { answerOf, api, type ItemOf } from '../api.ts';
import { query, setQuery } from '../router.ts';
import { Badge, type Tone } from './badge.tsx';
import { filtersIn, Period, VersionChoice } from './filters.tsx';
import { LastFailure } from './last-failure.tsx';
import { Choice, List } from './list.tsx';
import { Named } from './named.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

type Event = ItemOf<'/operator/webhooks/events'>;
type State = Event['state'];

const tones: Readonly<Record<State, Tone>> = {
  delivered: 'good',
  pending: 'quiet',
  exhausted: 'bad',
  held: 'warning',
  cancelled: 'quiet',
};

export function EventState({ state }: { state: State }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}

const columns: readonly Column<Event>[] = [
  { name: 'When', shows: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Kind', shows: ({ id, type }) => <Named kind="event" id={id} name={type} /> },
  {
    name: 'State',
    shows: ({ state, next_attempt_at: next }) => (
      <>
        <EventState state={state} />
        {next && (
          <span class="hint">
            next <Time at={next} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Attempts', shows: ({ attempt_count }) => attempt_count, isFigure: true },
  {
    name: 'Last error',
    isText: true,
    shows: ({ last_failure: failure }) => <LastFailure failure={failure} />,
  },
  { name: 'Version', shows: ({ api_version }) => api_version, isWord: true },
];

/** Where events are of several endpoints. */
const endpointColumn: Column<Event> = {
  name: 'Endpoint and organization',
  isText: true,
  shows: (event) => (
    <>
      <Named kind="endpoint" id={event.endpoint_id} name={event.endpoint_url} />
      <Named kind="organization" id={event.organization_id} name={event.organization_name} />
    </>
  ),
};

const aWeekAgo = (): string => new Date(Date.now() - 7 * 86_400_000).toISOString();

/** Events of all organizations, or of one endpoint. */
export function Events({ endpointId }: { endpointId?: string }) {
  const state = query.value.get('state') ?? '';
  const { version, ...period } = filtersIn(['version', 'since', 'until']);
  // Of all endpoints, events of a version are read only since a time.
  const needsSince = version !== undefined && period.since === undefined && endpointId === undefined;
  useEffect(() => {
    if (needsSince) setQuery({ since: aWeekAgo() });
  }, [needsSince]);
  return (
    <>
      <div class="tools">
        <Choice
          label="State"
          name="state"
          options={[['', 'all'], ...Object.keys(tones).map((name): [string, string] => [name, name])]}
        />
        <VersionChoice />
        <Period />
      </div>
      <List
        caption="Webhook events"
        columns={endpointId === undefined ? [...columns, endpointColumn] : columns}
        keyOf={({ id }) => id}
        changes={[endpointId, state, version, period.since, period.until]}
        load={(cursor) =>
          answerOf(
            api.GET('/operator/webhooks/events', {
              params: {
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
                  ...(state === '' ? {} : { state: state as State }),
                  ...(version === undefined ? {} : { api_version: version }),
                  ...(needsSince ? { since: aWeekAgo() } : {}),
                  ...period,
                },
              },
            }),
          )
        }
        empty={
          state === '' && Object.keys({ ...period, ...(version && { version }) }).length === 0
            ? 'Nothing was published yet.'
            : 'No event matches.'
        }
      />
    </>
  );
}
