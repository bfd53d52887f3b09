import { useSignal } from '@preact/signals';
import { ApiProblem, answerOf, api } from '../api.ts';
import type { paths } from '../generated/operator-api.ts';
import { Act, Field, ReasonField, reasonIn } from '../parts/act.tsx';
import { AuditEntries } from '../parts/audit-entries.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { Facts, Id } from '../parts/facts.tsx';
import { LeakReport } from '../parts/leak-report.tsx';
import { List } from '../parts/list.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Actor, Named, NamedOrganizations } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import { go, hrefOf, query } from '../router.ts';
import { mayChange } from '../session.ts';

type Explanation = paths['/operator/tokens/explain']['post']['responses'][200]['content']['application/json'];

const explain = (body: { token: string } | { token_id: string }) =>
  answerOf(api.POST('/operator/tokens/explain', { body }));

export function TokensScreen() {
  const id = query.value.get('id');
  const grant = query.value.get('grant');
  return (
    <>
      <header class="head">
        <h1>Tokens</h1>
        <LeakReport />
      </header>
      <FindToken />
      {id !== null && <TokenPart id={id} key={id} />}
      {grant !== null && <GrantPart id={grant} key={grant} />}
      {mayChange.value && (
        <>
          <h2>Revoke many</h2>
          <RevokeMany />
        </>
      )}
    </>
  );
}

/** Finds a token by what was pasted; from then on its id is in the address, which is no secret. */
function FindToken() {
  const told = useSignal<string | null>(null);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('token')).trim();
    // A token is in no address: neither in this page's, nor in that of a request.
    form.reset();
    told.value = null;
    if (/^req_/.test(text)) return go(`/requests?request_id=${encodeURIComponent(text)}`);
    if (/^tok_\w+$/.test(text)) return go(`/tokens?id=${text}`);
    try {
      const { token, message } = await explain({ token: text });
      if (token) go(`/tokens?id=${token.id}`);
      else told.value = message;
    } catch (error) {
      told.value = error instanceof ApiProblem ? error.message : String(error);
    }
  }

  return (
    <>
      <form class="tools" onSubmit={(event) => void submit(event)}>
        <label class="field">
          A token, the id of one, or a request id
          <input name="token" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="main">
          Explain
        </button>
      </form>
      {told.value !== null && <Notice kind="problem">{told.value}</Notice>}
    </>
  );
}

function TokenPart({ id }: { id: string }) {
  const { state, reload } = useLoaded(() => explain({ token_id: id }), [id]);
  const round = useSignal(0);
  return (
    <Shown state={state}>
      {(explanation) => (
        <Explained
          explanation={explanation}
          round={round.value}
          onChange={() => {
            round.value += 1;
            void reload();
          }}
        />
      )}
    </Shown>
  );
}

function GrantPart({ id }: { id: string }) {
  const round = useSignal(0);
  return (
    <section aria-label="About the grant">
      <h2>
        Tokens of the grant <Id>{id}</Id>
      </h2>
      <p class="buttons">
        <RevokeGrant
          id={id}
          onChange={() => {
            round.value += 1;
          }}
        />
      </p>
      <Lineage grantId={id} round={round.value} />
    </section>
  );
}

function RevokeGrant({ id, onChange }: { id: string; onChange(): void }) {
  return (
    <Revoke
      name="Revoke its grant"
      description="This token and all others of the same grant stop working at once."
      act={(body) => api.POST('/operator/grants/{id}/revoke', { params: { path: { id } }, body })}
      onChange={onChange}
    />
  );
}

interface ExplainedProps {
  explanation: Explanation;
  /** Counts up with every change, for what is read apart. */
  round: number;
  onChange(): void;
}

function Explained({ explanation, round, onChange }: ExplainedProps) {
  const { token } = explanation;
  return (
    <section aria-label="About the token">
      <h2>
        {explanation.message} <TokenState state={explanation.state} />
      </h2>
      {explanation.since && (
        <Facts
          items={[
            ['Since', <Time at={explanation.since} />],
            ['By', <Actor {...explanation} />],
            ['Why', explanation.reason ?? 'not known'],
            ['Also', explanation.also.map(({ state }) => words(state)).join(', ') || 'nothing else'],
          ]}
        />
      )}
      {token && (
        <>
          <TokenFacts token={token} />
          <p class="buttons">
            {explanation.state === 'active' && token.token_type === 'access_token' && (
              <Revoke
                name="Revoke this token"
                description="This access token stops working at once. Others of the same grant stay valid."
                act={(body) =>
                  api.POST('/operator/tokens/{id}/revoke', { params: { path: { id: token.id } }, body })
                }
                onChange={onChange}
              />
            )}
            <RevokeGrant id={token.grant_id} onChange={onChange} />
          </p>
          <h3>All tokens of its grant</h3>
          <Lineage grantId={token.grant_id} round={round} />
        </>
      )}
      <h3>Its history</h3>
      <AuditEntries items={explanation.history} />
    </section>
  );
}

const words = (state: string): string => state.replaceAll('_', ' ');

function TokenState({ state }: { state: string }) {
  return (
    <Badge tone={state === 'active' ? 'good' : state === 'used' ? 'quiet' : 'bad'}>{words(state)}</Badge>
  );
}

function TokenFacts({ token }: { token: NonNullable<Explanation['token']> }) {
  return (
    <Facts
      items={[
        ['Id', <CopiedId>{token.id}</CopiedId>],
        ['Type', words(token.token_type)],
        ['Client', <Named kind="client" id={token.client_id} name={token.client_name} />],
        ['Subject', <Named kind={token.sub_type} id={token.sub} name={token.sub_name} />],
        ['Reaches', <NamedOrganizations ids={token.organizations} names={token.organization_names} />],
        ['Grant', <CopiedId>{token.grant_id}</CopiedId>],
        ['Audience', token.aud],
        ['Issued', <Time at={token.issued_at} />],
        ['Expires', <Time at={token.expires_at} />],
      ]}
    />
  );
}

interface RevokeProps {
  name: string;
  description: string;
  act(body: { reason?: string }): Parameters<typeof answerOf>[0];
  onChange(): void;
}

function Revoke({ name, description, act, onChange }: RevokeProps) {
  return (
    <Act
      name={name}
      isDangerous
      description={description}
      act={async (form) => {
        await answerOf(act(reasonIn(form)));
        onChange();
      }}
    >
      <ReasonField />
    </Act>
  );
}

/** Which token came of which: newest first. */
function Lineage({ grantId, round }: { grantId: string; round: number }) {
  return (
    <List
      caption="Tokens of the grant, newest first"
      keyOf={({ id }) => id}
      changes={[grantId, round]}
      load={(cursor) =>
        answerOf(
          api.GET('/operator/grants/{id}/tokens', {
            params: { path: { id: grantId }, query: cursor === undefined ? {} : { cursor } },
          }),
        )
      }
      columns={[
        { name: 'Issued', shows: ({ issued_at }) => <Time at={issued_at} /> },
        { name: 'Type', shows: ({ token_type }) => words(token_type) },
        { name: 'State', shows: ({ state }) => <TokenState state={state} /> },
        { name: 'Expires', shows: ({ expires_at }) => <Time at={expires_at} /> },
        { name: 'Id', shows: ({ id }) => <a href={hrefOf(`/tokens?id=${id}`)}>{id}</a> },
      ]}
      empty="None is stored."
    />
  );
}

/** Counts first; then revokes some thousands at a time, and says how far it is. */
function RevokeMany() {
  const counted = useSignal<{ body: Record<string, string>; tokens: number; grants: number } | null>(null);
  const progress = useSignal<{ tokens: number; isDone: boolean } | null>(null);
  const problem = useSignal<string | null>(null);

  async function count(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget as HTMLFormElement)]
      .map(([name, value]) => [name, String(value).trim()] as const)
      .filter(([, value]) => value !== '');
    const body = Object.fromEntries(entries);
    progress.value = null;
    try {
      counted.value = { body, ...(await all(body, true, () => {})) };
      problem.value = null;
    } catch (error) {
      counted.value = null;
      problem.value = error instanceof ApiProblem ? error.message : String(error);
    }
  }

  async function revoke(): Promise<void> {
    const { body } = counted.value as { body: Record<string, string> };
    progress.value = { tokens: 0, isDone: false };
    const { tokens } = await all(body, false, (sofar) => {
      progress.value = { tokens: sofar, isDone: false };
    });
    progress.value = { tokens, isDone: true };
    counted.value = null;
  }

  return (
    <>
      <form class="tools" onSubmit={(event) => void count(event)}>
        <Field name="client_id" label="Client" value={query.value.get('client_id') ?? ''} />
        <Field name="subject" label="User or organization that they act for" />
        <Field name="organization_id" label="Organization that they reach" />
        <Field name="issued_before" label="Issued before" hint="Such as 2027-01-06T17:00:00Z" />
        <Field name="reason" label="Reason" isRequired />
        <button type="submit">Count</button>
      </form>
      {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
      {counted.value !== null && (
        <p>
          {counted.value.tokens.toLocaleString()} live tokens of {counted.value.grants.toLocaleString()}{' '}
          grants match.{' '}
          <Act
            name="Revoke them"
            isDangerous
            description={`${counted.value.tokens.toLocaleString()} tokens stop working at once: those who hold them have to get new ones.`}
            forGood={String(counted.value.tokens)}
            act={revoke}
          />
        </p>
      )}
      {progress.value !== null && (
        <Notice kind={progress.value.isDone ? 'done' : 'warning'}>
          {progress.value.tokens.toLocaleString()} tokens revoked{progress.value.isDone ? '.' : ' so far…'}
        </Notice>
      )}
    </>
  );
}

async function all(
  body: Readonly<Record<string, string>>,
  isDry: boolean,
  onProgress: (tokens: number) => void,
): Promise<{ tokens: number; grants: number }> {
  const sum = { tokens: 0, grants: 0 };
  let cursor: string | null = null;
  do {
    const part: { tokens: number; grants: number; next_cursor: string | null } = await answerOf(
      api.POST('/operator/tokens/revoke', {
        body: { ...body, dry_run: isDry, ...(cursor === null ? {} : { cursor }) },
      }),
    );
    sum.tokens += part.tokens;
    sum.grants += part.grants;
    cursor = part.next_cursor;
    onProgress(sum.tokens);
  } while (cursor !== null);
  return sum;
}
