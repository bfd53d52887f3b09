import { migrations } from '../compose/migrations.ts';
import { loadConfig } from '../config/load-config.ts';
import { type EnvironmentName, environmentNames } from '../environments/environment.ts';
import { systemClock } from '../kernel/clock.ts';
import { endLostAccessOf } from '../main.ts';
import { restoreBackup } from '../recovery/backup/restore-backup.ts';
import { checkedKinds, endedKinds } from '../recovery/lost-access/end-lost-access.ts';
import { createLog } from '../telemetry/log.ts';
import type { CommandInput } from './command.ts';
import { CommandError, usageError } from './command-error.ts';
import { withApiFolder } from './input/api-folder.ts';
import { timeOption } from './input/time-option.ts';

/** Brings the embedded database back. */
export async function restoreFile({ argument: file, env, output, isSet }: CommandInput): Promise<void> {
  const { databaseUrl, dataDir, secretKeys } = loadConfig(env);
  if (databaseUrl !== null)
    throw new CommandError(
      'The data is on a PostgreSQL server (DATABASE_URL): restore it with the tools of PostgreSQL; docs/backup.md has the commands.',
    );
  const { madeAt, putAside } = await restoreBackup({
    file,
    dataDir,
    secretKeys,
    migrations,
    force: isSet('force'),
    now: systemClock.now(),
    say: (sentence) => output.note(sentence),
  });
  output.item({ restored: file, made_at: madeAt, put_aside: putAside });
  output.note(
    `What was revoked after ${madeAt} is live again. Before you start the service, run: dateline restore --lost-from ${madeAt} --yes`,
  );
}

/** Ends what may have been ended before the data was lost, and prints how much of each kind. */
export async function endAccess(input: CommandInput): Promise<void> {
  const { output, isSet } = input;
  const lostFrom = new Date(timeOption(input, 'lost-from') ?? '');
  if (lostFrom > systemClock.now())
    throw usageError('--lost-from lies in the future; it is the time that the restored data is of.');
  const dryRun = isSet('dry-run');
  if (dryRun === isSet('yes'))
    throw usageError(
      'This ends all access of both environments: clients and people have to get it again. Pass --yes to run it, or --dry-run to count it first.',
    );
  const config = loadConfig(withApiFolder(input));
  const options = {
    config,
    log: createLog(config.logLevel),
    say: (sentence: string) => output.note(sentence),
    abort(reason: string) {
      output.note(`dateline: ${reason}`);
      process.exit(1);
    },
  };
  const done = await endLostAccessOf(options, { lostFrom, dryRun });
  const ending = dryRun ? 'would end' : 'ended';
  const rows = [
    ...endedKinds.map((kind) => rowOf(kind, ending, (name) => done[name].ended[kind])),
    ...checkedKinds.map((kind) => rowOf(kind, 'stays, check it', (name) => done[name].toCheck[kind])),
  ];
  output.list(rows, ['kind', 'outcome', ...environmentNames], 'There is nothing.');
  for (const name of environmentNames)
    if (done[name].alreadyDone) output.note(`${name}: this was done before; nothing was left to end.`);
}

function rowOf(kind: string, outcome: string, countIn: (name: EnvironmentName) => number) {
  return { kind, outcome, production: countIn('production'), sandbox: countIn('sandbox') };
}
