import { type MigratedEnvironment, migrateDatabases } from '../compose/migrate-databases.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CommandInput } from './command.ts';
import { CommandError } from './command-error.ts';
import { waitMsOf } from './input/wait-option.ts';

/** Migrates, and says what was done. */
export async function migrate(input: CommandInput): Promise<void> {
  const { env, output } = input;
  const config = loadConfig(env);
  if (config.databaseUrl === null)
    throw new CommandError(
      'dateline migrate needs DATABASE_URL: the embedded database is migrated when "dateline serve" starts.',
    );
  const say = (sentence: string): void => output.note(sentence);
  const migrated = await migrateDatabases({ config, say, waitMs: waitMsOf(input) });
  if (output.json) return output.list(migrated.map(asItem), [], '');
  for (const environment of migrated) output.text(sentenceOf(environment));
}

function asItem({ environment, applied, newest, serviceRole }: MigratedEnvironment) {
  return { environment, applied, newest, service_role: serviceRole };
}

function sentenceOf({ environment, applied, newest, serviceRole }: MigratedEnvironment): string {
  const done = applied.length === 0 ? 'nothing to migrate' : `${applied.length} migrations applied`;
  const rights = serviceRole === null ? '' : `; ${serviceRole} has the rights to serve`;
  return `${environment}: ${done}, at ${newest}${rights}`;
}
