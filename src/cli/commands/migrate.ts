import type { Command } from '../command.ts';
import { waitOption } from '../input/wait-option.ts';

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
    const { migrate } = await import('../migrate.ts');
    await migrate(input);
  },
};
