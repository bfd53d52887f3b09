import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { answerOf, api, type BodyOf } from '../api.ts';
import { Badge } from '../parts/badge.tsx';
import { Facts } from '../parts/facts.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { hrefOf } from '../router.ts';

export function HomeScreen() {
  const { state } = useLoaded(
    async () => {
      const [plan, doctor, queue, failures, usage, nodes] = await Promise.all([
        answerOf(api.GET('/operator/release')),
        answerOf(api.GET('/operator/doctor')),
        answerOf(api.GET('/operator/webhooks/queue')),
        answerOf(api.GET('/operator/failed-requests/groups', { params: { query: { days: 1 } } })),
        answerOf(api.GET('/operator/usage', { params: { query: { days: 1, group: 'choice' } } })),
        answerOf(api.GET('/operator/nodes')),
      ]);
      const today = { requests: sumOf(usage.items), failed: failures.items };
      return { plan, doctor: doctor.items, queue, today, nodes: nodes.items };
    },
    [],
    { everySeconds: 10 },
  );
  return (
    <>
      <h1>Home</h1>
      <Shown state={state}>
        {({ plan, doctor, queue, today, nodes }) => (
          <>
            <Timeline plan={plan} />
            <h2>What needs attention</h2>
            <Attention
              items={[...ofRelease(plan), ...ofDoctor(doctor), ...ofQueue(queue), ...ofFailures(today)]}
            />
            <h2>Now</h2>
            <Figures today={today} queue={queue} />
            <h2>Nodes</h2>
            <Table
              caption="Nodes of the last day"
              rows={nodes}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Node', shows: ({ name }) => <code>{name}</code> },
                { name: 'Kind', shows: ({ kind }) => kind },
                {
                  name: 'State',
                  shows: ({ state: ofNode }) => <Badge tone={nodeTones[ofNode]}>{ofNode}</Badge>,
                },
                { name: 'Seen', shows: ({ seen_at }) => <Time at={seen_at} /> },
                { name: 'Build', shows: ({ build }) => buildText(build) },
              ]}
            />
          </>
        )}
      </Shown>
    </>
  );
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

/** The three versions, what the next release makes of them, and when. */
function Timeline({ plan }: { plan: Plan }) {
  return (
    <section class="timeline" aria-label="Versions">
      <ol>
        {plan.versions.map(({ version, state, becomes }) => (
          <li key={version} class={state ?? 'new'}>
            <strong>{version}</strong>{' '}
            {state ? <Badge tone={state}>{state}</Badge> : <Badge tone="quiet">new</Badge>}
            <span class="hint"> then {becomes}</span>
          </li>
        ))}
      </ol>
      <p>
        {plan.planned_at === null ? (
          'No release is planned.'
        ) : (
          <>
            {plan.target} becomes Current <Countdown to={plan.planned_at} /> (<Time at={plan.planned_at} />
            ).
          </>
        )}{' '}
        <a href={hrefOf('/versions')}>The plan</a>
      </p>
    </section>
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

interface Item {
  tone: 'bad' | 'warning';
  message: ComponentChildren;
}

function Attention({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return <Notice kind="done">Nothing. All is well.</Notice>;
  return (
    <ul class="attention">
      {items.map(({ tone, message }, index) => (
        <li key={index}>
          <Badge tone={tone}>{tone === 'bad' ? 'problem' : 'warning'}</Badge> {message}
        </li>
      ))}
    </ul>
  );
}

function ofRelease({ overdue, obstacle, clients_at_risk: atRisk, target }: Plan): Item[] {
  const items: Item[] = [];
  if (overdue) items.push(problem(`The release of ${target} is overdue. ${obstacle}`));
  if (atRisk.length > 0)
    items.push(
      warning(`${counted(atRisk.length, 'client')} may break at the next release.`, '/versions', 'Who'),
    );
  return items;
}

function ofDoctor(findings: BodyOf<'/operator/doctor'>['items']): Item[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ state, message }) => ({ tone: state === 'problem' ? 'bad' : 'warning', message }));
}

function ofQueue({ due, failing, disabled }: BodyOf<'/operator/webhooks/queue'>): Item[] {
  const items: Item[] = [];
  if (failing > 0)
    items.push(
      problem(`Deliveries to ${counted(failing, 'webhook endpoint')} fail.`, '/webhooks?condition=failing'),
    );
  if (disabled > 0)
    items.push(warning(`${counted(disabled, 'webhook endpoint')} disabled.`, '/webhooks?condition=disabled'));
  if (due > 100) items.push(warning(`${due.toLocaleString()} events wait to be sent.`));
  return items;
}

function ofFailures({ requests, failed: groups }: Today): Item[] {
  const failed = sumOf(groups.filter(({ status }) => status >= 500));
  if (failed === 0) return [];
  const text = `${failed.toLocaleString()} requests of today (${share(failed, requests)}) were answered with 5xx.`;
  return [problem(text, '/requests')];
}

const problem = (...message: Parameters<typeof sentence>): Item => ({
  tone: 'bad',
  message: sentence(...message),
});
const warning = (...message: Parameters<typeof sentence>): Item => ({
  tone: 'warning',
  message: sentence(...message),
});

/** A sentence, and a link to what it is about. */
function sentence(text: string, to?: string, link = 'Which'): ComponentChildren {
  return to === undefined ? (
    text
  ) : (
    <>
      {text} <a href={hrefOf(to)}>{link}</a>
    </>
  );
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;

const nodeTones = { live: 'good', gone: 'bad', stopped: 'quiet' } as const;

function buildText(build: Readonly<Record<string, unknown>> | null): string {
  if (build === null) return 'older';
  return [`Dateline ${build.dateline}`, build.id, `Node ${build.node}`, build.api].filter(Boolean).join(', ');
}
