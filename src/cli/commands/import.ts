import type { Command } from '../command.ts';

export const importCommand: Command = {
  name: 'import',
  description:
    'Create a folder for your own API from its OpenAPI document, or update the folder from a newer one',
  argument: 'document',
  options: {
    into: {
      placeholder: 'folder',
      description:
        "The folder to make or to update (default: this one if it was imported, else one named after the document's title)",
    },
    strict: { description: 'Refuse the document if any part of it would be left out' },
  },
  examples: ['dateline import openapi.yaml', 'dateline import swagger.json --into orders --strict'],
  async run(input) {
    const { importContract } = await import('../contracts/import-contract.ts');
    await importContract(input);
  },
};
