import type { Command } from '../command.ts';

export const contractCommands: readonly Command[] = [
  {
    name: 'contract check',
    says: 'Check that changes cover all that differs between versions, and that no frozen file was edited',
    options: {},
    examples: ['dateline contract check'],
    async run(input) {
      const { checkContracts } = await import('../contracts/check-contracts.ts');
      await checkContracts(input);
    },
  },
  {
    name: 'contract release',
    says: 'Freeze the head contract and open the next one, in this work tree; for maintainers',
    options: { 'dry-run': { says: 'Show the plan and change nothing' } },
    examples: ['dateline contract release --dry-run', 'dateline contract release'],
    async run(input) {
      const { releaseContract } = await import('../contracts/release-contract.ts');
      await releaseContract(input);
    },
  },
];
