import { existsSync } from 'node:fs';
import type { CommandInput, CommandOption } from '../command.ts';

/** Its configuration, in any of its extensions. Two of them are refused by what reads the folder. */
const CONFIG_FILES = ['.mjs', '.js', '.ts', '.mts'].map((extension) => `dateline.config${extension}`);

/** For commands that work on an API folder where there is one. */
export const apiOption: Readonly<Record<'api', CommandOption>> = {
  api: {
    placeholder: 'folder',
    description:
      'The folder of your own API (default: DATELINE_API, or this folder if it has a dateline.config.mjs or .ts)',
  },
};

/** The folder that a command means; null where it means Dateline itself. */
export function apiFolderOf({ env, optional }: Pick<CommandInput, 'env' | 'optional'>): string | null {
  const named = optional('api') ?? env.DATELINE_API;
  if (named) return named;
  return CONFIG_FILES.some((file) => existsSync(file)) ? '.' : null;
}

/** The settings of a process that serves the folder. */
export function withApiFolder(input: Pick<CommandInput, 'env' | 'optional'>): NodeJS.ProcessEnv {
  const folder = apiFolderOf(input);
  return folder === null ? input.env : { ...input.env, DATELINE_API: folder };
}
