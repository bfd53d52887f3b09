import type { Command } from '../command.ts';
import { apiOption } from '../input/api-folder.ts';

export const contractCommands: readonly Command[] = [
  {
    name: 'contract check',
    description:
      'Check that every difference between versions has a change, and that no frozen file was edited',
    options: apiOption,
    examples: ['dateline contract check', 'dateline contract check --api ../orders'],
    async run(input) {
      const { checkContracts } = await import('../contracts/check-contracts.ts');
      await checkContracts(input);
    },
  },
  {
    name: 'contract release',
    description: 'Freeze Next and open the version after it, in an API folder or in this work tree',
    options: { ...apiOption, 'dry-run': { description: 'Show the plan and change nothing' } },
    examples: ['dateline contract release --dry-run', 'dateline contract release'],
    async run(input) {
      const { releaseContract } = await import('../contracts/release-contract.ts');
      await releaseContract(input);
    },
  },
  {
    name: 'contract diff',
    description: 'List the differences between neighbouring versions, and the change that covers each',
    options: {
      ...apiOption,
      version: { placeholder: 'YYYY-MM', description: 'Only what this version changed' },
    },
    examples: ['dateline contract diff', 'dateline contract diff --json'],
    async run(input) {
      const { diffContracts } = await import('../contracts/diff-contracts.ts');
      await diffContracts(input);
    },
  },
  {
    name: 'contract draft',
    description:
      'Write a change for each difference of Next that has none, with a question where only you know',
    options: apiOption,
    examples: ['dateline contract draft', 'dateline contract draft --api ../orders'],
    async run(input) {
      const { draftContracts } = await import('../contracts/draft-contracts.ts');
      await draftContracts(input);
    },
  },
  {
    name: 'contract found',
    description:
      'Freeze the first versions of an API folder as copies of Next; only before its first release',
    options: apiOption,
    examples: ['dateline contract found', 'dateline contract found --api ../orders'],
    async run(input) {
      const { foundContracts } = await import('../contracts/found-contracts.ts');
      await foundContracts(input);
    },
  },
  {
    name: 'contract types',
    description: 'Write the TypeScript types of the contracts of an API folder, for its changes and handlers',
    options: apiOption,
    examples: ['dateline contract types', 'dateline contract types --api ../orders'],
    async run(input) {
      const { writeContractTypes } = await import('../contracts/write-contract-types.ts');
      await writeContractTypes(input);
    },
  },
];
