import { type DestinationStream, type Logger, symbols } from 'pino';

/** The parts that a logger's lines are made of. */
export interface LineParts {
  /** Members of every line, ready to be written, each with a comma before it. */
  readonly members: string;
  time(): string;
  readonly stream: DestinationStream;
}

/** Pino exports the names of these members, and leaves them out of its types. */
interface PinoParts {
  readonly [symbols.chindingsSym]: string;
  readonly [symbols.timeSym]: () => string;
  readonly [symbols.streamSym]: DestinationStream;
}

export function linePartsOf(log: Logger): LineParts {
  const parts = log as unknown as PinoParts;
  return {
    members: parts[symbols.chindingsSym],
    time: parts[symbols.timeSym],
    stream: parts[symbols.streamSym],
  };
}
