import { loadConfig } from '../../config/load-config.ts';
import { settingRows } from '../../config/settings-table.ts';
import type { Command } from '../command.ts';

export const configCommand: Command = {
  name: 'config',
  description: 'Show every setting, its value and where that came from; secrets only as "set"',
  examples: ['dateline config', 'DATELINE_PORT=8000 dateline config --json'],
  async run({ env, output }) {
    loadConfig(env);
    const rows = settingRows(env).map(({ name, value, origin, description }) => ({
      name,
      value,
      origin,
      description,
    }));
    output.list(rows, ['name', 'value', 'origin'], 'No settings.');
  },
};
