import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_TITLE } from '../../contracts/api.ts';
import { foundingContracts } from '../../contracts/founding/index.ts';
import { contractHash } from '../../versions/canonical.ts';
import { type FreezeLock, frozenProblems } from '../../versions/freeze-gate.ts';
import { toOpenApi } from '../../versions/openapi.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { FROZEN_FOLDER, readFrozenFiles, readFrozenHistory, writeLock } from '../frozen-files.ts';

export const contractCommands: readonly Command[] = [
  {
    name: 'contract freeze',
    says: 'Write the frozen contracts of the founding versions; refused once the founding period is closed',
    options: { founding: { says: 'Say that you mean it: frozen files are rewritten' } },
    examples: ['dateline contract freeze --founding'],
    async run({ isSet, output }) {
      if (!isSet('founding'))
        throw new CommandError('Only founding versions can be frozen this way; say --founding.');
      const { lock } = readFrozenFiles('.');
      if (!lock.founding)
        throw new CommandError('The founding period is closed: frozen contracts can no longer be rewritten.');
      output.list(freezeFoundingContracts(lock), ['version', 'sha256'], 'There are no founding contracts.');
      output.note(
        'Behaviour is frozen too: where it changed, record the tapes again ("npm run tape -- <version>").',
      );
    },
  },
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

function freezeFoundingContracts(lock: FreezeLock): { version: string; sha256: string }[] {
  const frozen = foundingContracts.map((contract) => {
    const document = JSON.parse(JSON.stringify(toOpenApi(contract, API_TITLE)));
    const folder = join(FROZEN_FOLDER, contract.version);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'contract.json'), `${JSON.stringify(document, null, 2)}\n`);
    return { version: contract.version as string, sha256: contractHash(document) };
  });
  const sha256 = Object.fromEntries(frozen.map((item) => [item.version, item.sha256]));
  writeLock('.', { ...lock, sha256 });
  return frozen;
}
