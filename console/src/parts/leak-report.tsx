import { answerOf, api } from '../api.ts';
import type { paths } from '../generated/operator-api.ts';
import { hrefOf } from '../router.ts';
import { Act, Field, LinesField } from './act.tsx';
import { Badge, type Tone } from './badge.tsx';
import { Table } from './table.tsx';

type Leaks = paths['/operator/leaks']['post'];
type Result = Leaks['responses'][200]['content']['application/json']['results'][number];

/** As many as one request takes. */
const AT_ONCE_MAX = 100;

const outcomes: Readonly<Record<Result['outcome'], readonly [tone: Tone, words: string]>> = {
  revoked: ['good', 'revoked now'],
  dead_already: ['quiet', 'had ended before'],
  kept: ['bad', 'kept: it is the last admin key. Create another, then report it again'],
  unknown: ['warning', 'unknown here'],
};

/** Revokes what was found where it should not be, and says what each was. */
export function LeakReport() {
  return (
    <Act
      name="Report a leak"
      isDangerous
      description="Whatever of it is still valid is revoked at once, for good: an access token alone, a refresh token with its grant, a client secret and an operator key, so that their programs need new ones."
      act={async (form) => {
        const results = await report(form);
        return <Outcomes results={results} />;
      }}
    >
      <LinesField
        name="tokens"
        label="What was found"
        hint="One on each line: tokens, codes, client secrets, operator keys. They are not stored."
      />
      <Field
        name="source"
        label="Where it was found"
        hint="For the audit log, such as a public repository."
        isRequired
      />
      <Field name="note" label="Note" hint="Anything else for the audit log." />
    </Act>
  );
}

async function report(form: FormData): Promise<Result[]> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const tokens = text('tokens').split(/\s+/).filter(Boolean);
  const note = text('note') === '' ? {} : { note: text('note') };
  const results: Result[] = [];
  for (let start = 0; start < tokens.length; start += AT_ONCE_MAX) {
    const body = { tokens: tokens.slice(start, start + AT_ONCE_MAX), source: text('source'), ...note };
    results.push(...(await answerOf(api.POST('/operator/leaks', { body }))).results);
  }
  return results;
}

/** By their number among the lines: none is repeated. */
function Outcomes({ results }: { results: readonly Result[] }) {
  const rows = results.map((result, index) => ({ ...result, number: index + 1 }));
  return (
    <Table
      caption="What was done"
      rows={rows}
      keyOf={({ number }) => String(number)}
      columns={[
        { name: 'Line', shows: ({ number }) => number, isFigure: true },
        { name: 'What it is', shows: ({ kind }) => kind?.replaceAll('_', ' ') ?? 'not known' },
        {
          name: 'What was done',
          shows: ({ outcome }) => {
            const [tone, words] = outcomes[outcome];
            return <Badge tone={tone}>{words}</Badge>;
          },
        },
        { name: 'Belongs to', shows: (result) => <BelongsTo {...result} /> },
      ]}
    />
  );
}

function BelongsTo({ token_id: token, client_id: client }: Result) {
  return (
    <>
      {token && <a href={hrefOf(`/tokens?id=${token}`)}>its token</a>}
      {token && client && ' of '}
      {client && <a href={hrefOf(`/clients/${client}`)}>its client</a>}
    </>
  );
}
