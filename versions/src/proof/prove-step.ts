import type { ApiStep } from '../compile/api-steps.ts';
import { type Bridge, bridgeOf } from '../compile/bridge.ts';
import type { EventKind, Operation } from '../contract/contract.ts';
import { eventProofProblems } from './prove-event.ts';
import { operationProofProblems } from './prove-operation.ts';

/** Two neighbours, and the changes that are to bridge them. */
export type ProvedStep = Pick<ApiStep, 'older' | 'newer' | 'documents' | 'changes' | 'differing' | 'folder'>;

/**
 * Sends samples of every request, answer and event that changes touch through them, and checks what comes out: requests of the
 * older version in the newer one, answers and events of the newer in the older. Each problem is a sentence with a sample.
 */
export function stepProofProblems(step: ProvedStep): string[] {
  return [
    ...step.older.operations.flatMap((operation) => operationProblems(operation, step)),
    ...step.newer.events.flatMap((event) => eventProblems(event, step)),
  ];
}

function operationProblems(operation: Operation, step: ProvedStep): string[] {
  const { newer, changes } = step;
  const bridge = bridgeOf(operation.id, [changes ?? []]);
  const head = newer.operations.find(({ id }) => id === bridge.headOperationId);
  // One that is kept is as it was, and one that leads nowhere is told without samples.
  if (bridge.isKept || !head || !isTouched(operation, bridge, step)) return [];
  return operationProofProblems({ ...writingOf(step, operation.id), operation, head, bridge });
}

function isTouched({ id }: Operation, bridge: Bridge, { differing }: ProvedStep): boolean {
  const { headOperationId, isKept: _kept, ...translations } = bridge;
  return differing.has(id) || headOperationId !== id || Object.values(translations).some(Boolean);
}

function eventProblems(event: EventKind, step: ProvedStep): string[] {
  const known = new Map(step.older.events.map(({ kind, schema }) => [kind, schema]));
  const isDowngraded = (step.changes ?? []).some(({ downgradeEvent }) => downgradeEvent?.[event.kind]);
  // Nobody of the older version subscribes to an added kind.
  const isCompared = step.differing.has(event.kind) && known.has(event.kind);
  if (!isDowngraded && !isCompared) return [];
  return eventProofProblems({ ...writingOf(step, event.kind), event, known });
}

function writingOf({ older, newer, documents, changes, differing, folder }: ProvedStep, id: string) {
  return {
    changes: changes ?? [],
    folder,
    documents,
    versions: { older: older.version, newer: newer.version },
    names: new Set((differing.get(id) ?? []).flatMap((path) => path.split('.'))),
  };
}
