import type { CompiledOperation } from '@dateline/versions';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { headOperations } from '../../src/contracts/head/index.ts';
import type { OperationDefinition } from '../../src/contracts/head/operation-parts.ts';
import { requestsOf } from '../support/contracts/contract-properties.ts';
import { api } from '../support/contracts/products.ts';

const definitions: Readonly<Record<string, OperationDefinition>> = headOperations;
const upgraded = [...api.values()].flatMap(({ version, operations }) =>
  [...operations.values()]
    .filter(({ upgradeRequest }) => upgradeRequest !== null)
    .map((compiled) => ({ name: `${compiled.operation.id} of ${version}`, compiled })),
);

describe('a request of an older version', () => {
  // Without changes between the versions there is nothing to upgrade, and nothing to check.
  it('becomes a command that Next declares', () => {
    for (const { name, compiled } of upgraded) {
      const command = Compile(commandOf(compiled));
      const property = fc.property(requestsOf(compiled), (request) => {
        expect(command.Errors(compiled.upgradeRequest?.(request).command ?? {})[1], name).toEqual([]);
      });
      fc.assert(property, { numRuns: 100, seed: 1 });
    }
  });
});

/** An operation that declares no command must get none. */
function commandOf({ headOperationId }: CompiledOperation) {
  return definitions[headOperationId]?.command ?? { type: 'object', additionalProperties: false };
}
