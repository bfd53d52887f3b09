import { answerOf, api, type ItemOf } from '../api.ts';
import { hrefOf, query } from '../router.ts';
import { Badge, type Tone } from './badge.tsx';
import { Id } from './facts.tsx';
import { Choice, List } from './list.tsx';
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
  { name: 'Kind', shows: ({ id, type }) => <a href={hrefOf(`/webhooks/events/${id}`)}>{type}</a> },
  { name: 'Id', shows: ({ id }) => <Id>{id}</Id> },
  { name: 'State', shows: ({ state }) => <EventState state={state} /> },
  { name: 'Attempts', shows: ({ attempt_count }) => attempt_count, isFigure: true },
  { name: 'Next attempt', shows: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
  { name: 'Version', shows: ({ api_version }) => api_version },
];

/** Events of all organizations, or of one endpoint. */
export function Events({ endpointId }: { endpointId?: string }) {
  const state = query.value.get('state') ?? '';
  return (
    <>
      <div class="tools">
        <Choice
          label="State"
          name="state"
          options={[['', 'all'], ...Object.keys(tones).map((name): [string, string] => [name, name])]}
        />
      </div>
      <List
        caption="Webhook events"
        columns={columns}
        keyOf={({ id }) => id}
        changes={[endpointId, state]}
        load={(cursor) =>
          answerOf(
            api.GET('/operator/webhooks/events', {
              params: {
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
                  ...(state === '' ? {} : { state: state as State }),
                },
              },
            }),
          )
        }
        empty={state === '' ? 'Nothing was published yet.' : 'No event is in this state.'}
      />
    </>
  );
}
