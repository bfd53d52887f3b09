import type { Command, CommandInput } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import { readTokens } from '../input/read-tokens.ts';
import { reason, reasonBody } from '../input/reason-option.ts';
import { timeOption } from '../input/time-option.ts';
import { type Json, listIn, objectIn } from '../json.ts';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token explain',
    description: 'Show whether a token is active, or who revoked it, when and why',
    argument: 'token-id',
    argumentOptional: true,
    options: {
      token: { placeholder: '-', description: 'Instead of an id: read the token itself from standard input' },
    },
    examples: ['dateline token explain tok_…', 'dateline token explain --token - < token.txt'],
    run: explain,
  },
  {
    name: 'token revoke',
    description:
      'Revoke one token by its id, or all tokens of a subject, client or organization; several options narrow it',
    argument: 'token-id',
    argumentOptional: true,
    options: {
      subject: { placeholder: 'id', description: 'The subject: a user, or an organization' },
      client: { placeholder: 'client-id', description: 'The client they were issued to' },
      organization: {
        placeholder: 'organization-id',
        description: 'The organization they reach into; without --client also all of its own clients',
      },
      'issued-before': {
        placeholder: 'time',
        description: 'Only tokens from before this time; their grants live on',
      },
      reason,
      'dry-run': { description: 'Only count grants and live tokens; nothing is changed' },
      yes: { description: 'Needed where --issued-before alone selects every token of the environment' },
    },
    examples: [
      "dateline token revoke tok_… --reason 'pasted into a ticket'",
      "dateline token revoke --subject usr_… --reason 'laptop stolen'",
      'dateline token revoke --client cli_… --issued-before 2027-01-06T17:00:00Z --dry-run',
    ],
    run: (input) => (input.argument === '' ? revokeMany(input) : revokeOne(input)),
  },
];

async function explain(input: CommandInput): Promise<void> {
  const { also, token, history, ...answer } = await input
    .api()
    .post('/operator/tokens/explain', await asked(input));
  if (input.output.json) return input.output.item({ ...answer, also, token, history });
  input.output.text(String(answer.message));
  const { id, ...facts } = objectIn(token);
  const others = listIn(also).map(({ state, since }) => `${state} since ${since}`);
  input.output.item({
    state: answer.state,
    ...(token ? { token_id: id, ...facts } : {}),
    ...(others.length > 0 ? { also: others.join(', ') } : {}),
  });
}

async function asked({ argument, optional }: CommandInput): Promise<Json> {
  const token = optional('token');
  if ((token === undefined) === (argument === ''))
    throw usageError('Give a <token-id>, or --token - and the token on standard input.');
  if (token === undefined) return { token_id: argument };
  if (token !== '-')
    throw usageError(
      '--token takes only "-": a token on the command line can be read by every user of the machine.',
    );
  const [first, ...more] = await readTokens();
  if (more.length > 0) throw new CommandError('More than one token came from standard input.');
  return { token: first };
}

const PROGRESS_AFTER_MS = 1_000;

/** An access token ends alone, a refresh token with its whole grant. */
async function revokeOne(input: CommandInput): Promise<void> {
  const { argument: id, output, optional, isSet } = input;
  const many = ['subject', 'client', 'organization', 'issued-before'].find(
    (name) => optional(name) !== undefined,
  );
  if (many !== undefined || isSet('dry-run'))
    throw usageError(`A <token-id> does not go with --${many ?? 'dry-run'}.`);
  await input.api().post(`/operator/tokens/${encodeURIComponent(id)}/revoke`, reasonBody(input));
  output.item({ id, revoked: true });
}

/** The service revokes some at each call and answers with a cursor. */
async function revokeMany(input: CommandInput): Promise<void> {
  const body = selectionOf(input);
  const api = input.api();
  const startedAtMs = performance.now();
  let [grants, tokens] = [0, 0];
  for (let cursor: unknown; cursor !== null; ) {
    const part = await api.post('/operator/tokens/revoke', {
      ...body,
      ...(cursor === undefined ? {} : { cursor }),
    });
    grants += Number(part.grants);
    tokens += Number(part.tokens);
    cursor = part.next_cursor;
    if (cursor !== null && performance.now() - startedAtMs > PROGRESS_AFTER_MS)
      input.output.note(`${grants} grants with ${tokens} live tokens so far …`);
  }
  input.output.item({ dry_run: input.isSet('dry-run'), grants, tokens });
}

function selectionOf(input: CommandInput): Json {
  const selection = {
    subject: input.optional('subject'),
    client_id: input.optional('client'),
    organization_id: input.optional('organization'),
    issued_before: timeOption(input, 'issued-before'),
  };
  if (Object.values(selection).every((value) => value === undefined))
    throw usageError(
      'Name the tokens: a <token-id>, --subject, --client, --organization or --issued-before.',
    );
  const { issued_before, ...narrower } = selection;
  const isEverything = Object.values(narrower).every((value) => value === undefined);
  if (isEverything && !input.isSet('yes') && !input.isSet('dry-run'))
    throw usageError(
      'This revokes all tokens of the environment. Pass --yes to run it, or --dry-run to count them first.',
    );
  return { ...selection, reason: input.optional('reason'), dry_run: input.isSet('dry-run') };
}
