import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts';

export interface CircuitsOptions extends Omit<CircuitOptions, 'onTurn'> {
  onTurn(operation: string, isOpen: boolean): void;
}

/** A circuit for each operation: that one of them gets no answers says nothing of the others. */
export interface Circuits {
  of(operation: string): Circuit;
  isAnyOpen(): boolean;
  /** Some operation answers, for all that is known. */
  answered(): void;
  /** Returns true if calls are refused, and nothing has answered since the last circuit opened. */
  refusesAll(): boolean;
}

export function createCircuits({ onTurn, ...options }: CircuitsOptions): Circuits {
  // As many as the contract has operations: nothing that a caller sends makes another one.
  const circuits = new Map<string, Circuit>();
  let hasAnswered = true;

  function make(operation: string): Circuit {
    const circuit = createCircuit({
      ...options,
      onTurn(isOpen) {
        if (isOpen) hasAnswered = false;
        onTurn(operation, isOpen);
      },
    });
    circuits.set(operation, circuit);
    return circuit;
  }

  const isAny = (is: (circuit: Circuit) => boolean): boolean => [...circuits.values()].some(is);

  return {
    of: (operation) => circuits.get(operation) ?? make(operation),
    isAnyOpen: () => isAny((circuit) => circuit.isOpen()),
    answered() {
      hasAnswered = true;
    },
    refusesAll: () => !hasAnswered && isAny((circuit) => circuit.refuses()),
  };
}
