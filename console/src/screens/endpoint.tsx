import { answerOf, api, type BodyOf } from '../api.ts';
import { Act, Field, ReasonField, reasonIn } from '../parts/act.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { Events } from '../parts/events.tsx';
import { Facts } from '../parts/facts.tsx';
import { LastFailure } from '../parts/last-failure.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import { go } from '../router.ts';
import { EndpointState } from './webhooks.tsx';

type Endpoint = BodyOf<'/operator/webhooks/endpoints/{id}'>;

export function EndpointScreen({ id }: { id: string }) {
  const params = { path: { id } };
  const { state, reload } = useLoaded(
    () => answerOf(api.GET('/operator/webhooks/endpoints/{id}', { params })),
    [id],
    { everySeconds: 10 },
  );
  return (
    <Shown state={state}>
      {(endpoint) => (
        <>
          <header class="head">
            <h1>
              Endpoint <EndpointState endpoint={endpoint} />
            </h1>
            <Actions endpoint={endpoint} onChange={() => void reload()} />
          </header>
          <Facts items={factsOf(endpoint)} />
          <Recovery id={id} />
          <h2>Events</h2>
          <Events endpointId={id} />
        </>
      )}
    </Shown>
  );
}

function factsOf(endpoint: Endpoint) {
  const { created_by: maker } = endpoint;
  return [
    ['Address', endpoint.url],
    ['Id', <CopiedId>{endpoint.id}</CopiedId>],
    [
      'Organization',
      <Named kind="organization" id={endpoint.organization_id} name={endpoint.organization_name} />,
    ],
    ['Made by', <Named kind="client" id={maker?.client_id} name={maker?.client_name} none="not known" />],
    ['For', <Named kind="user" id={maker?.user_id} name={maker?.user_name} none="the client itself" />],
    ['Kinds', endpoint.events.join(', ')],
    ['Version', `${endpoint.api_version} (pinned to ${endpoint.pinned_version})`],
    ['Format', endpoint.format],
    ['Description', endpoint.description],
    ['Last success', <Time at={endpoint.last_success_at} none="never" />],
    ['Last error', <LastFailure failure={endpoint.last_failure} />],
    ['Failing since', <Time at={endpoint.failing_since} none="no failures" />],
    ['Failures since then', endpoint.failure_count],
    ['Paused until', <Time at={endpoint.paused_until} none="not paused" />],
  ] as const;
}

function Actions({ endpoint, onChange }: { endpoint: Endpoint; onChange(): void }) {
  const params = { path: { id: endpoint.id } };
  const organization = endpoint.organization_id;
  return (
    <p class="buttons">
      <Act
        name="Send a test"
        description="The example of a kind is sent to this endpoint alone."
        act={async (form) => {
          const type = String(form.get('type')).trim();
          const event = await answerOf(
            api.POST('/operator/webhooks/endpoints/{id}/test', { params, body: { type } }),
          );
          go(`/webhooks/events/${event.id}`);
        }}
      >
        <Field
          name="type"
          label="Kind"
          value={endpoint.events.find((kind) => !kind.includes('*')) ?? ''}
          isRequired
        />
      </Act>
      <Act
        name="Recover"
        isForSupport
        description="Every event that this endpoint has missed since a time is sent again, in order, a few per second."
        onDone={onChange}
        act={async (form) => {
          const since = new Date(String(form.get('since'))).toISOString();
          await answerOf(
            api.POST('/operator/organizations/{organization}/webhooks/endpoints/{id}/recover', {
              params: { path: { organization, id: endpoint.id } },
              body: { since },
            }),
          );
          onChange();
        }}
      >
        <Field name="since" label="Since (your local time)" type="datetime-local" isRequired />
      </Act>
      {endpoint.enabled ? (
        <Act
          name="Disable"
          isDangerous
          isForSupport
          description="Nothing is sent to it any more; its events are kept. Its organization cannot enable it until you let it."
          act={async (form) => {
            const body = reasonIn(form);
            await answerOf(api.POST('/operator/webhooks/endpoints/{id}/disable', { params, body }));
            onChange();
          }}
        >
          <ReasonField />
        </Act>
      ) : (
        <Act
          name="Enable"
          description="Its organization may enable it again."
          act={async () => {
            await answerOf(api.POST('/operator/webhooks/endpoints/{id}/enable', { params }));
            onChange();
          }}
        />
      )}
      <Act
        name="Delete"
        isDangerous
        forGood={new URL(endpoint.url).host}
        description="The endpoint is deleted, with its secret; events that it has not received yet are never sent. To stop it for a time, disable it."
        act={async () => {
          await answerOf(api.DELETE('/operator/webhooks/endpoints/{id}', { params }));
          go('/webhooks');
        }}
      />
    </p>
  );
}

/** The progress of the last recovery, if there is one. */
function Recovery({ id }: { id: string }) {
  const { state } = useLoaded(
    () => answerOf(api.GET('/operator/webhooks/endpoints/{id}/recovery', { params: { path: { id } } })),
    [id],
    { everySeconds: 2 },
  );
  if (state.is !== 'there' || state.data.recovery === null) return null;
  const { total, remaining, delivered, failed } = state.data.recovery;
  if (remaining === 0)
    return (
      <Notice kind="done">
        The last recovery sent {total} events: {delivered} delivered, {failed} failed.
      </Notice>
    );
  return (
    <p role="status">
      <label class="field">
        Recovering: {total - remaining} of {total} events
        <progress value={total - remaining} max={total} />
      </label>
    </p>
  );
}
