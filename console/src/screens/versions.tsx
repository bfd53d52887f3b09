import { answerOf, api, type BodyOf } from '../api.ts';
import { Act, Field } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { BrokenClients, callsText, clientColumns } from '../parts/broken-clients.tsx';
import { Facts, Id } from '../parts/facts.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { Pre } from '../parts/pre.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { publicHref, query, setQuery } from '../router.ts';

type Plan = BodyOf<'/operator/release'>;

const risks: Readonly<Record<Plan['clients_at_risk'][number]['risk'], string>> = {
  version_removed: 'names a version that is removed',
  default_changes: 'names no version, and gets another one',
};

export function VersionsScreen() {
  const { state, reload } = useLoaded(
    async () => {
      const [plan, broken, history] = await Promise.all([
        answerOf(api.GET('/operator/release')),
        answerOf(api.GET('/operator/release/broken')),
        answerOf(api.GET('/operator/release/history')),
      ]);
      return { plan, broken, history: history.items };
    },
    [],
    { everySeconds: 5 },
  );
  return (
    <>
      <h1>Versions</h1>
      <Shown state={state}>
        {({ plan, broken, history }) => (
          <>
            <Served plan={plan} />
            <BrokenClients broken={broken} />
            <h2>The next release</h2>
            <PlanPart
              plan={plan}
              canUndo={history.some(({ kind }) => kind === 'release')}
              onChange={() => void reload()}
            />
            <h2>What changed</h2>
            <Changes versions={plan.versions.flatMap(({ version, state }) => (state ? [version] : []))} />
            <h2>Decisions</h2>
            <History items={history} />
          </>
        )}
      </Shown>
    </>
  );
}

function Served({ plan }: { plan: Plan }) {
  const served = plan.versions.filter(({ state }) => state !== null);
  return (
    <Table
      caption="Versions that are served"
      rows={served}
      keyOf={({ version }) => version}
      columns={[
        { name: 'Version', shows: ({ version }) => version },
        { name: 'State', shows: ({ state }) => (state ? <Badge tone={state}>{state}</Badge> : null) },
        { name: 'Contract', shows: ({ version }) => <a href={publicHref(`/docs/${version}`)}>reference</a> },
        {
          name: 'What changed',
          shows: ({ version }) => (
            <a href={publicHref(`/versions/${version}/release-notes`)}>release notes</a>
          ),
        },
      ]}
    />
  );
}

/** The difference between a version and the one before it, in words and as places in the contract. */
function Changes({ versions }: { versions: readonly string[] }) {
  const newest = versions.toSorted().at(-1) ?? '';
  const version = query.value.get('version') ?? newest;
  const { state } = useLoaded(
    () => answerOf(api.GET('/operator/versions/{version}/changes', { params: { path: { version } } })),
    [version],
  );
  return (
    <>
      <label class="field">
        In version
        <select value={version} onChange={(change) => setQuery({ version: change.currentTarget.value })}>
          {versions.toSorted().map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <Shown state={state}>
        {({ since, groups, differences }) => (
          <>
            <p>
              {since === null ? 'The version before it is no longer known here.' : `Against ${since}:`}{' '}
              {since !== null && groups.length === 0 && 'nothing.'}
            </p>
            {groups.flatMap(({ title, notes }) =>
              notes.map((note) => (
                <details key={note.name}>
                  <summary>
                    <Badge tone="quiet">{title}</Badge> {note.title}
                  </summary>
                  <Note note={note} />
                </details>
              )),
            )}
            {differences.length > 0 && (
              <details>
                <summary>{differences.length} places in the contract</summary>
                <ul class="places-in-contract">
                  {differences.map((location) => (
                    <li key={location}>
                      <code>{location}</code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

type NoteBody = BodyOf<'/operator/versions/{version}/changes'>['groups'][number]['notes'][number];

function Note({ note: { summary, why, upgrade_note: upgrade, examples } }: { note: NoteBody }) {
  return (
    <>
      <p>{summary}</p>
      <Facts
        items={[
          ['Why', why],
          ['To upgrade', upgrade],
        ]}
      />
      {examples.map(({ before, after }, index) => (
        <div class="beside" key={index}>
          {[before, after].map((sample, side) => (
            <section key={side}>
              <h3>
                {side === 0 ? 'Before' : 'After'}
                {sample && `, ${sample.caption}`}
              </h3>
              <Pre>{sample?.text ?? 'nothing of the kind'}</Pre>
            </section>
          ))}
        </div>
      ))}
    </>
  );
}

interface PlanProps {
  plan: Plan;
  /** There was a release. */
  canUndo: boolean;
  onChange(): void;
}

function PlanPart({ plan, canUndo, onChange }: PlanProps) {
  return (
    <>
      {plan.rehearsal && <Notice kind="warning">This is a rehearsal: Current is not frozen.</Notice>}
      {plan.overdue && <Notice kind="problem">The release of {plan.target} is overdue.</Notice>}
      {plan.obstacle && <Notice kind="warning">{plan.obstacle}</Notice>}
      <ul>
        {plan.versions.map(({ version, state, becomes }) => (
          <li key={version}>
            {version}: {state ?? 'new'}, then <strong>{becomes}</strong>
          </li>
        ))}
      </ul>
      <p>
        {plan.planned_at ? (
          <>
            Planned for <Time at={plan.planned_at} />.
          </>
        ) : (
          'It is not planned.'
        )}{' '}
        {plan.counted_requests.toLocaleString()} requests were counted in the last weeks.
      </p>
      <Decisions plan={plan} canUndo={canUndo} onChange={onChange} />
      <ClientsAtRisk plan={plan} />
      {plan.endpoints_moving.length > 0 && (
        <>
          <h3>Webhook endpoints that move to another version</h3>
          <Table
            caption="Endpoints that move"
            rows={plan.endpoints_moving}
            keyOf={({ endpoint_id }) => endpoint_id}
            columns={[
              {
                name: 'Endpoint',
                isText: true,
                shows: ({ endpoint_id: id, endpoint_url: url }) => (
                  <Named kind="endpoint" id={id} name={url} />
                ),
              },
              {
                name: 'Organization',
                isText: true,
                shows: ({ organization_id: id, organization_name: name }) => (
                  <Named kind="organization" id={id} name={name} />
                ),
              },
              { name: 'Pinned to', shows: ({ pinned_version }) => pinned_version },
              { name: 'Then', shows: ({ becomes }) => becomes },
            ]}
          />
        </>
      )}
    </>
  );
}

function ClientsAtRisk({ plan }: { plan: Plan }) {
  const { clients_at_risk: clients, counted_requests: counted, oauth_only: oauthOnly } = plan;
  return (
    <>
      <h3>Who breaks</h3>
      {clients.length === 0 ? (
        <Notice kind={counted === 0 ? 'empty' : 'done'}>
          {counted === 0
            ? 'No request was counted lately, so nothing is known of any client.'
            : 'No client that was active lately.'}
        </Notice>
      ) : (
        <>
          <p>{breakingText(clients)}, by what they did in the last 30 days.</p>
          <Table
            caption="Clients at risk"
            rows={clients}
            keyOf={({ client_id }) => client_id}
            columns={[
              ...clientColumns,
              { name: 'Why', shows: ({ risk }) => risks[risk] },
              { name: 'Calls', shows: (client) => callsText(client) },
              { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
              { name: 'Last', shows: ({ last_day }) => last_day, isWord: true },
            ]}
          />
        </>
      )}
      {oauthOnly.length > 0 && (
        <details>
          <summary>
            Not at risk: {clientsText(oauthOnly.length)} without a version at the OAuth endpoints only, as
            stock libraries do
          </summary>
          <Table
            caption="Clients without a version at the OAuth endpoints only"
            rows={oauthOnly}
            keyOf={({ client_id }) => client_id}
            columns={[
              ...clientColumns,
              { name: 'Requests', shows: ({ requests }) => requests.toLocaleString(), isFigure: true },
              { name: 'Last', shows: ({ last_day }) => last_day, isWord: true },
            ]}
          />
        </details>
      )}
    </>
  );
}

/** How many of these clients break, and how many may break. */
function breakingText(clients: Plan['clients_at_risk']): string {
  const breaking = clients.filter(({ risk }) => risk === 'version_removed').length;
  return `The release breaks ${clientsText(breaking)}; ${clientsText(clients.length - breaking)} may break`;
}

const clientsText = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'client' : 'clients'}`;

function Decisions({ plan, canUndo, onChange }: PlanProps) {
  const reasonOf = (form: FormData) => ({
    reason: String(form.get('reason')).trim(),
    ...(form.get('outside_window') ? { outside_window: true } : {}),
  });
  const fields = (
    <>
      <Field name="reason" label="Reason" hint="For the ledger and the audit log." isRequired />
      <label class="check">
        <input type="checkbox" name="outside_window" /> Also outside of the first week of a quarter
      </label>
    </>
  );
  return (
    <p class="buttons">
      <Act
        name="Release now"
        isDangerous
        forGood={plan.target}
        warning="A release can be undone; requests that it breaks until then have failed for good."
        description={`In a few seconds ${plan.versions.map(({ version, becomes }) => `${version} is ${becomes}`).join(', ')}: for every client, on every node. ${breakingText(plan.clients_at_risk)}.`}
        act={async (form) => {
          await answerOf(
            api.POST('/operator/release/run', { body: { ...reasonOf(form), version: plan.target } }),
          );
          onChange();
        }}
      >
        {fields}
      </Act>
      <Act
        name="Schedule"
        description={`${plan.target} becomes Current at the time that you give.`}
        act={async (form) => {
          const at = new Date(String(form.get('at'))).toISOString();
          await answerOf(api.POST('/operator/release/schedule', { body: { at, ...reasonOf(form) } }));
          onChange();
        }}
      >
        <Field name="at" label="When (your local time)" type="datetime-local" isRequired />
        {fields}
      </Act>
      {canUndo && (
        <Act
          name="Undo the last release"
          isDangerous
          forGood={plan.versions.find(({ state }) => state === 'current')?.version}
          warning="Clients that have moved to the newest version break, unless they are pinned to one that stays."
          description="The three versions before it are restored, for every client, on every node."
          act={async (form) => {
            await answerOf(api.POST('/operator/release/undo', { body: reasonOf(form) }));
            onChange();
          }}
        >
          {fields}
        </Act>
      )}
    </p>
  );
}

function History({ items }: { items: BodyOf<'/operator/release/history'>['items'] }) {
  if (items.length === 0)
    return <Notice kind="empty">Nothing yet: until the first decision, the calendar applies.</Notice>;
  return (
    <Table
      caption="The ledger of releases"
      rows={items}
      keyOf={({ number }) => String(number)}
      columns={[
        { name: 'Decided', shows: ({ decided_at }) => <Time at={decided_at} /> },
        { name: 'What', isWord: true, shows: ({ kind, version }) => `${kind} of ${version}` },
        { name: 'In effect from', shows: ({ effective_at }) => <Time at={effective_at} /> },
        {
          name: 'Rehearsal',
          shows: ({ rehearsal }) => (rehearsal ? <Badge tone="warning">rehearsal</Badge> : 'no'),
        },
        { name: 'Who', isText: true, shows: ({ actor, actor_name }) => actor_name ?? actor },
        { name: 'Why', isText: true, shows: ({ reason }) => reason },
        { name: 'Contract', shows: ({ contract_sha256 }) => <Id>{contract_sha256.slice(0, 12)}</Id> },
      ]}
    />
  );
}
