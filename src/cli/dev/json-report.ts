import type { CallFacts, ChangeFacts } from '../../compose/dev/call-facts.ts';
import type { DevReport } from '../../compose/dev/dev-report.ts';
import type { Output } from '../output.ts';

/** A line of JSON for each thing that happens. */
export function jsonReport({ item }: Pick<Output, 'item'>): DevReport {
  return {
    served: ({ processorMs, warnings, newScopes }) =>
      item({
        event: 'served',
        processor_ms: Math.round(processorMs),
        warnings,
        new_scopes: newScopes,
      }),
    refused: (problems) => item({ event: 'refused', problems }),
    restored: () => item({ event: 'restored' }),
    called: (call) => item({ event: 'call', ...callMembers(call) }),
  };
}

function callMembers(call: CallFacts) {
  const { durationMs, clientId, asked, notForwarded, up, down, ...same } = call;
  return {
    ...same,
    client_id: clientId,
    duration_ms: Math.round(durationMs),
    up: up.map(changeMembers),
    asked: asked && askedMembers(asked),
    down: down.map(changeMembers),
    not_forwarded: notForwarded,
  };
}

function askedMembers({ durationMs, ...asked }: NonNullable<CallFacts['asked']>) {
  return { ...asked, duration_ms: Math.round(durationMs) };
}

function changeMembers({ differences, ...change }: ChangeFacts) {
  return {
    ...change,
    differences: differences.map(({ renamedTo, ...one }) => ({ ...one, renamed_to: renamedTo })),
  };
}
