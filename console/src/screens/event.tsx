import { useSignal } from '@preact/signals';
import { answerOf, api, type BodyOf, type ItemOf } from '../api.ts';
import { Act } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { BodyText } from '../parts/body-text.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { EventState } from '../parts/events.tsx';
import { Facts } from '../parts/facts.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { Pre } from '../parts/pre.tsx';
import { Time } from '../parts/time.tsx';

type Event = BodyOf<'/operator/webhooks/events/{id}'>;
type Attempt = ItemOf<'/operator/webhooks/events/{id}/attempts'>;

export function EventScreen({ id }: { id: string }) {
  const params = { path: { id } };
  const { state, reload } = useLoaded(
    async () => {
      const event = await answerOf(api.GET('/operator/webhooks/events/{id}', { params }));
      const attempts = await answerOf(api.GET('/operator/webhooks/events/{id}/attempts', { params }));
      return { event, attempts: attempts.items };
    },
    [id],
    { everySeconds: 3 },
  );
  return (
    <Shown state={state}>
      {({ event, attempts }) => (
        <>
          <header class="head">
            <h1>
              {event.type} <EventState state={event.state} />
            </h1>
            <p class="buttons">
              <Act
                name="Redeliver"
                isForSupport
                description="The same bytes are sent again now, with a new timestamp and signature."
                act={async () => {
                  await answerOf(
                    api.POST('/operator/organizations/{organization}/webhooks/events/{id}/redeliver', {
                      params: { path: { organization: event.organization_id, id } },
                    }),
                  );
                  void reload();
                }}
              />
            </p>
          </header>
          <Facts
            items={[
              ['Id', <CopiedId>{event.id}</CopiedId>],
              ['Endpoint', <Named kind="endpoint" id={event.endpoint_id} name={event.endpoint_url} />],
              [
                'Organization',
                <Named kind="organization" id={event.organization_id} name={event.organization_name} />,
              ],
              ['Happened', <Time at={event.created_at} />],
              ['Version', event.api_version],
              ['Next attempt', <Time at={event.next_attempt_at} none="none" />],
              ['Test', event.test ? 'yes' : 'no'],
            ]}
          />
          <h2>Attempts</h2>
          {attempts.length === 0 && <Notice kind="empty">It was not sent yet.</Notice>}
          {attempts.map((attempt) => (
            <AttemptPart key={attempt.id} attempt={attempt} event={event} />
          ))}
          <h2>The body that is sent</h2>
          {event.payload === null ? (
            <Notice kind="empty">It is no longer stored.</Notice>
          ) : (
            <BodyText text={event.payload} what="the body" />
          )}
          <Preview event={event} />
        </>
      )}
    </Shown>
  );
}

function AttemptPart({ attempt, event }: { attempt: Attempt; event: Event }) {
  const { stages } = attempt;
  const { endpoint_url: url } = event;
  return (
    <details class="attempt">
      <summary>
        <Time at={attempt.started_at} />{' '}
        {attempt.error === null ? (
          <Badge tone="good">{String(attempt.status)}</Badge>
        ) : (
          <Badge tone="bad">{attempt.message ?? attempt.error}</Badge>
        )}{' '}
        {attempt.duration_ms} ms
      </summary>
      <Facts
        items={[
          ['DNS look-up', milliseconds(stages.lookup)],
          ['Connecting', connecting(attempt)],
          ['Waiting for the answer', milliseconds(stages.wait)],
          ['Reading it', milliseconds(stages.read)],
        ]}
      />
      <h3>Sent</h3>
      <Pre>{headerText(attempt.sent_headers)}</Pre>
      <h3>Came back</h3>
      <Pre>{headerText(attempt.answer_headers) || 'no headers'}</Pre>
      {attempt.answer ? <BodyText text={attempt.answer} what="the answer" /> : <p>No body.</p>}
      {url !== null && attempt.sent_headers && event.payload !== null && (
        <>
          <h3>To send it again by hand</h3>
          <BodyText text={curlOf(url, attempt.sent_headers, event.payload)} what="the command" />
        </>
      )}
    </details>
  );
}

const CONNECTING_FAILED = ['connection_refused', 'unreachable', 'tls'];

/** Without a time for it the attempt was made on a connection that was there, if anything came back. */
function connecting({ stages, error }: Attempt): string {
  if (stages.connect !== undefined || stages.lookup === undefined) return milliseconds(stages.connect);
  if (stages.wait !== undefined) return 'on a kept connection';
  return CONNECTING_FAILED.includes(error ?? '') ? 'failed' : 'not completed';
}

const milliseconds = (value: number | undefined, none = 'not reached'): string =>
  value === undefined ? none : `${value} ms`;

function headerText(headers: Readonly<Record<string, string>> | null): string {
  if (headers === null) return 'not known';
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** For a shell: every word in quotes. The signature is of this attempt; the secret is not in it. */
function curlOf(url: string, headers: Readonly<Record<string, string>>, body: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

/** The event as another version would have it, side by side. */
function Preview({ event }: { event: Event }) {
  const version = useSignal('');
  const versions = useLoaded(async () => {
    const response = await fetch('/versions', { headers: { accept: 'application/json' } });
    return ((await response.json()) as { versions: { version: string }[] }).versions.map(
      (one) => one.version,
    );
  }, []);
  const preview = useLoaded(
    async () =>
      version.value === ''
        ? null
        : answerOf(
            api.GET('/operator/webhooks/events/{id}/preview', {
              params: { path: { id: event.id }, query: { api_version: version.value } },
            }),
          ),
    [version.value],
  );
  return (
    <>
      <h2>In another version</h2>
      <label class="field">
        Version
        <select
          value={version.value}
          onChange={(change) => {
            version.value = change.currentTarget.value;
          }}
        >
          <option value="">choose one</option>
          {versions.state.is === 'there' &&
            versions.state.data.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
        </select>
      </label>
      {version.value !== '' && (
        <Shown state={preview.state}>
          {(shown) =>
            shown && (
              <>
                <p>
                  {shown.differences.length === 0
                    ? 'The two are the same.'
                    : `They differ at ${shown.differences.map(({ path }) => path).join(', ')}.`}
                </p>
                <div class="beside">
                  {[shown.from, shown.to].map(({ api_version, payload }) => (
                    <section key={api_version}>
                      <h3>{api_version}</h3>
                      {payload === null ? (
                        <Pre>This version does not publish it.</Pre>
                      ) : (
                        <BodyText text={JSON.stringify(payload)} what={`the body of ${api_version}`} />
                      )}
                    </section>
                  ))}
                </div>
              </>
            )
          }
        </Shown>
      )}
    </>
  );
}
