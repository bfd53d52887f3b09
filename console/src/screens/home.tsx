import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { answerOf, api, type BodyOf } from '../api.ts';
import { AttentionList, ofBroken, ofDoctor, ofFailures, ofPlan, ofQueue } from '../parts/attention-list.tsx';
import { Badge } from '../parts/badge.tsx';
import { BrokenClients } from '../parts/broken-clients.tsx';
import { Facts } from '../parts/facts.tsx';
import { type Loaded, Shown, useLoaded } from '../parts/loading.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { seriesOf } from '../parts/usage-series.ts';
import { VersionDates } from '../parts/version-dates.tsx';
import { hrefOf } from '../router.ts';

const DAYS = 30;
const BROKEN_SHOWN = 10;

export function HomeScreen() {
  const { state: versions } = useLoaded(loadVersions, [], { everySeconds: 60 });
  const { state: now } = useLoaded(loadNow, [], { everySeconds: 10 });
  return (
    <>
      <h1>Home</h1>
      <Shown state={together(versions, now)}>
        {([{ plan, broken, series }, { doctor, queue, today, nodes, standbys }]) => (
          <>
            <div class="look">
              <section aria-label="Versions">
                <h2>Versions</h2>
                <VersionDates plan={plan} last={broken} series={series} />
                <NextRelease plan={plan} />
              </section>
              <section aria-label="What needs attention">
                <h2>What needs attention</h2>
                <AttentionList
                  items={[
                    ...ofBroken(broken),
                    ...ofPlan(plan),
                    ...ofDoctor(doctor),
                    ...ofFailures(today.failed),
                    ...ofQueue(queue),
                  ]}
                />
              </section>
            </div>
            {(broken.items.length > 0 || broken.unnamed_requests > 0) && (
              <BrokenClients broken={broken} shown={BROKEN_SHOWN} />
            )}
            <h2>Now</h2>
            <Figures today={today} queue={queue} />
            <h2>Nodes</h2>
            <Nodes items={nodes} />
            <Standbys {...standbys} />
          </>
        )}
      </Shown>
    </>
  );
}

/** What changes from day to day. */
async function loadVersions() {
  const query = { days: DAYS, group: 'day,version' };
  const [plan, broken, usage] = await Promise.all([
    answerOf(api.GET('/operator/release')),
    answerOf(api.GET('/operator/release/broken')),
    answerOf(api.GET('/operator/usage', { params: { query } })),
  ]);
  const states = new Map(plan.versions.flatMap(({ version, state }) => (state ? [[version, state]] : [])));
  return { plan, broken, series: seriesOf(usage, states) };
}

/** What changes from second to second. */
async function loadNow() {
  const [doctor, queue, failures, usage, nodes, standbys] = await Promise.all([
    answerOf(api.GET('/operator/doctor')),
    answerOf(api.GET('/operator/webhooks/queue')),
    answerOf(api.GET('/operator/failed-requests/groups', { params: { query: { days: 1 } } })),
    answerOf(api.GET('/operator/usage', { params: { query: { days: 1, group: 'choice' } } })),
    answerOf(api.GET('/operator/nodes')),
    answerOf(api.GET('/operator/standbys')),
  ]);
  const today = { requests: sumOf(usage.items), failed: failures.items };
  return { doctor: doctor.items, queue, today, nodes: nodes.items, standbys };
}

function together<One, Other>(one: Loaded<One>, other: Loaded<Other>): Loaded<[One, Other]> {
  if (one.is !== 'there') return one;
  if (other.is !== 'there') return other;
  return { is: 'there', data: [one.data, other.data] };
}

interface Today {
  requests: number;
  failed: BodyOf<'/operator/failed-requests/groups'>['items'];
}

const sumOf = (items: readonly { requests: number }[]): number =>
  items.reduce((sum, { requests }) => sum + requests, 0);

const share = (part: number, whole: number): string =>
  whole === 0
    ? 'none'
    : (part / whole).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 2 });

function Figures({ today, queue }: { today: Today; queue: BodyOf<'/operator/webhooks/queue'> }) {
  const { requests, failed } = today;
  const ofService = failed.filter(({ status }) => status >= 500);
  return (
    <Facts
      items={[
        ['Requests today (UTC)', requests.toLocaleString()],
        ['Answered with 5xx', share(sumOf(ofService), requests)],
        ['Answered with 4xx', share(sumOf(failed) - sumOf(ofService), requests)],
        ['Events to be sent', `${queue.waiting.toLocaleString()}, ${queue.due.toLocaleString()} of them due`],
        ['Events held', queue.held.toLocaleString()],
        [
          'Webhook endpoints',
          `${queue.enabled.toLocaleString()} enabled, ${queue.disabled.toLocaleString()} disabled`,
        ],
      ]}
    />
  );
}

type Plan = BodyOf<'/operator/release'>;

function NextRelease({ plan: { current, rehearsal, planned_at: plannedAt, target } }: { plan: Plan }) {
  return (
    <p>
      {rehearsal && `That ${current} is Current is a rehearsal. `}
      {plannedAt === null ? (
        'No release is planned.'
      ) : (
        <>
          {target} becomes Current <Countdown to={plannedAt} /> (<Time at={plannedAt} />
          ).
        </>
      )}{' '}
      <a href={hrefOf('/versions')}>The plan</a>
    </p>
  );
}

function Countdown({ to }: { to: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [now]);
  const seconds = Math.max(0, Math.round((new Date(to).getTime() - now.value) / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor((seconds % 86_400) / 3_600),
    Math.floor((seconds % 3_600) / 60),
  ];
  return (
    <span class="countdown">
      in {days} d {hours} h {minutes} min{days === 0 ? ` ${seconds % 60} s` : ''}
    </span>
  );
}

function Nodes({ items }: { items: BodyOf<'/operator/nodes'>['items'] }) {
  return (
    <Table
      caption="Nodes of the last day"
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Node', shows: ({ name }) => <code>{name}</code> },
        { name: 'Kind', shows: ({ kind }) => kind },
        { name: 'State', shows: ({ state }) => <Badge tone={nodeTones[state]}>{state}</Badge> },
        { name: 'Seen', shows: ({ seen_at }) => <Time at={seen_at} /> },
        { name: 'Build', shows: ({ build }) => buildText(build) },
        { name: 'Reads from', shows: ({ reads_from }) => reads_from.join(', ') || 'the primary' },
      ]}
    />
  );
}

const nodeTones = { live: 'good', gone: 'bad', stopped: 'quiet' } as const;

function buildText(build: Readonly<Record<string, unknown>> | null): string {
  if (build === null) return 'older';
  return [`Dateline ${build.dateline}`, build.id, `Node ${build.node}`, build.api].filter(Boolean).join(', ');
}

/** Only where the node that answers reads from standbys, or has waited for others that do. */
function Standbys({ items, fallbacks, waits }: BodyOf<'/operator/standbys'>) {
  if (items.length === 0 && waits.count === 0) return null;
  const mean = waits.mean_ms === null ? 'none' : `${Math.round(waits.mean_ms)} ms in the mean`;
  return (
    <>
      <h2>Standbys</h2>
      {items.length > 0 && (
        <Table
          caption="Standbys that this node reads tokens from"
          rows={items}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Standby', shows: ({ name }) => <code>{name}</code> },
            { name: 'State', shows: ({ problem }) => standbyState(problem) },
            { name: 'Lag', shows: ({ lag_ms }) => (lag_ms === null ? 'none' : `${Math.round(lag_ms)} ms`) },
            { name: 'Answers used', shows: ({ reads }) => reads.used.toLocaleString() },
            { name: 'Late', shows: ({ reads }) => reads.late.toLocaleString() },
            { name: 'Failed', shows: ({ reads }) => reads.failed.toLocaleString() },
          ]}
        />
      )}
      <Facts
        items={[
          ['Look-ups that no standby answered', fallbacks.unread.toLocaleString()],
          ['Refusals that the primary was asked about', fallbacks.confirmed.toLocaleString()],
          ['Waits of revocations for readers', `${waits.count.toLocaleString()}, ${mean}`],
          ['Waits that were not answered', waits.timed_out.toLocaleString()],
        ]}
      />
    </>
  );
}

function standbyState(problem: string | null) {
  return problem === null ? <Badge tone="good">read from</Badge> : <Badge tone="bad">{problem}</Badge>;
}
