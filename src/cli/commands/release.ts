import { setTimeout as delay } from 'node:timers/promises';
import type { Command, CommandInput } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import type { Json, OperatorApi } from '../operator-api.ts';

const yes = { says: 'Do it; without this, only the plan is shown' } as const;
const reason = { placeholder: 'text', says: 'Why, for the ledger' } as const;
const outsideWindow = { says: 'Also outside the first week of a quarter; needs --reason' } as const;

export const releaseCommands: readonly Command[] = [
  {
    name: 'release plan',
    says: 'Show what the next release will do, and when',
    options: {},
    examples: ['dateline release plan --environment production'],
    run: showPlan,
  },
  {
    name: 'release run',
    says: 'Release now: Next becomes Current, Current becomes Deprecated, Deprecated is removed',
    options: { yes, reason, 'outside-window': outsideWindow },
    examples: ['dateline release run --yes', 'dateline release run --environment production --yes'],
    async run(input) {
      if (!input.isSet('yes')) return showPlan(input);
      await decideAndWait(input, '/operator/release/run', (decided, current) => current === decided.version);
    },
  },
  {
    name: 'release schedule',
    says: 'Move the next release to another time',
    options: {
      at: { placeholder: 'time', required: true, says: 'When, such as 2027-01-06T17:00:00Z' },
      yes,
      reason,
      'outside-window': outsideWindow,
    },
    examples: ['dateline release schedule --at 2027-01-06T17:00:00Z --yes'],
    async run(input) {
      const at = new Date(input.required('at'));
      if (Number.isNaN(at.getTime())) throw usageError('--at must be a time, such as 2027-01-06T17:00:00Z.');
      if (!input.isSet('yes')) return showPlan(input);
      input.output.item(
        await input.api().post('/operator/release/schedule', { at: at.toISOString(), ...decisionOf(input) }),
      );
    },
  },
  {
    name: 'release undo',
    says: 'Take the last release back',
    options: { yes, reason },
    examples: ['dateline release undo --yes'],
    async run(input) {
      if (!input.isSet('yes')) return showPlan(input);
      await decideAndWait(input, '/operator/release/undo', (decided, current) => current !== decided.version);
    },
  },
];

async function showPlan({ api, output }: CommandInput): Promise<void> {
  const { versions, ...plan } = await api().get('/operator/release');
  if (output.json) return output.item({ ...plan, versions });
  output.item(plan);
  const next = { deprecated: 'is removed', current: 'becomes Deprecated', next: 'becomes Current' } as const;
  for (const { version, state } of versions as { version: string; state: keyof typeof next }[]) {
    output.text(`${version} (${state}) ${next[state]} at the release`);
  }
  output.note('This is the plan; nothing was changed. Say --yes to do it.');
}

function decisionOf({ optional, isSet }: CommandInput): Json {
  return {
    ...(optional('reason') === undefined ? {} : { reason: optional('reason') }),
    ...(isSet('outside-window') ? { outside_window: true } : {}),
  };
}

const WAIT_LIMIT_MS = 30_000;

/** A decision lies a few seconds ahead; the command ends when it is in effect. */
async function decideAndWait(
  input: CommandInput,
  path: string,
  isInEffect: (decided: Json, current: unknown) => boolean,
): Promise<void> {
  const api = input.api();
  const decided = await api.post(path, decisionOf(input));
  if (!decided.already) input.output.note(`Takes effect at ${decided.effective_at} on all nodes; waiting …`);
  await waitUntil(api, (current) => isInEffect(decided, current));
  input.output.item(decided);
}

async function waitUntil(api: OperatorApi, done: (current: unknown) => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_LIMIT_MS; waitedMs += 200) {
    if (done((await api.getPublic('/versions')).current)) return;
    await delay(200);
  }
  throw new CommandError(
    'It is decided, but not in effect after 30 seconds; "dateline versions" shows where it stands.',
  );
}
