import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_TITLE } from '../../contracts/api.ts';
import { foundingContracts } from '../../contracts/founding/index.ts';
import { contractHash } from '../../versions/canonical.ts';
import { toOpenApi } from '../../versions/openapi.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';

const FROZEN_FOLDER = join('src', 'contracts', 'frozen');
const LOCK_FILE = join(FROZEN_FOLDER, 'lock.json');

interface Lock {
  founding?: true;
  sha256: Record<string, string>;
}

export const contractCommands: readonly Command[] = [
  {
    name: 'contract freeze',
    says: 'Write the frozen contracts of the founding versions; refused once the founding period is closed',
    options: { founding: { says: 'Say that you mean it: frozen files are rewritten' } },
    examples: ['dateline contract freeze --founding'],
    async run({ isSet, output }) {
      if (!isSet('founding'))
        throw new CommandError('Only founding versions can be frozen this way; say --founding.');
      const lock = readLock();
      if (lock && !lock.founding)
        throw new CommandError('The founding period is closed: frozen contracts can no longer be rewritten.');
      output.list(freezeFoundingContracts(), ['version', 'sha256'], 'There are no founding contracts.');
    },
  },
];

function freezeFoundingContracts(): { version: string; sha256: string }[] {
  const frozen = foundingContracts.map((contract) => {
    const document = JSON.parse(JSON.stringify(toOpenApi(contract, API_TITLE)));
    const folder = join(FROZEN_FOLDER, contract.version);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'contract.json'), `${JSON.stringify(document, null, 2)}\n`);
    return { version: contract.version as string, sha256: contractHash(document) };
  });
  const sha256 = Object.fromEntries(frozen.map((item) => [item.version, item.sha256]));
  writeFileSync(LOCK_FILE, `${JSON.stringify({ founding: true, sha256 } satisfies Lock, null, 2)}\n`);
  return frozen;
}

function readLock(): Lock | null {
  try {
    return JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as Lock;
  } catch {
    return null;
  }
}
