import type { MigratedEnvironment } from '../../compose/migrate-databases.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { waitMsOf, waitOption } from '../input/wait-option.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  description:
    'Migrate both environments on PostgreSQL with the role that owns the tables, and give the role that serves its rights; starts nothing',
  options: waitOption,
  examples: [
    'DATABASE_URL=postgres://dateline_owner@… dateline migrate',
    'DATABASE_URL=postgres://dateline_owner@… dateline migrate --json',
  ],
  async run(input) {
    const { env, output } = input;
    const { loadConfig } = await import('../../config/load-config.ts');
    const config = loadConfig(env);
    if (config.databaseUrl === null)
      throw new CommandError(
        'dateline migrate needs DATABASE_URL: the embedded database is migrated when "dateline serve" starts.',
      );
    const { migrateDatabases } = await import('../../compose/migrate-databases.ts');
    const say = (sentence: string): void => output.note(sentence);
    const migrated = await migrateDatabases({ config, say, waitMs: waitMsOf(input) });
    if (output.json) return output.list(migrated.map(asItem), [], '');
    for (const environment of migrated) output.text(sentenceOf(environment));
  },
};

function asItem({ environment, applied, newest, serviceRole }: MigratedEnvironment) {
  return { environment, applied, newest, service_role: serviceRole };
}

function sentenceOf({ environment, applied, newest, serviceRole }: MigratedEnvironment): string {
  const done = applied.length === 0 ? 'nothing to migrate' : `${applied.length} migrations applied`;
  const rights = serviceRole === null ? '' : `; ${serviceRole} has the rights to serve`;
  return `${environment}: ${done}, at ${newest}${rights}`;
}
