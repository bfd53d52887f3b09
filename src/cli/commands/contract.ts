import { frozenProblems } from '@dateline/versions';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { readFrozenFiles, readFrozenHistory } from '../frozen-files.ts';

export const contractCommands: readonly Command[] = [
  {
    name: 'contract check',
    says: 'Check that no frozen contract and no tape has changed, in this work tree and since it was frozen',
    options: {},
    examples: ['dateline contract check'],
    async run({ output }) {
      const now = readFrozenFiles('.');
      const problems = frozenProblems(now, readFrozenHistory('.'));
      if (problems.length > 0) throw new CommandError(problems.join('\n'));
      const rows = Object.entries(now.lock.sha256).map(([version, sha256]) => ({
        version,
        sha256,
        state: 'unchanged',
      }));
      output.list(rows, ['version', 'state', 'sha256'], 'No version is frozen.');
    },
  },
];
