import type { CallFacts } from './call-facts.ts';

/** Tells the developer what happens. */
export interface DevReport {
  /** The folder has been edited, and calls are answered by that from now on. */
  served(facts: ServedFacts): void;
  /** It has been edited, and cannot be served. Each problem has its file and place. */
  refused(problems: string, facts: RefusedFacts): void;
  /** It is again as it is served. */
  restored(): void;
  called(call: CallFacts): void;
}

export interface ServedFacts {
  /** Of the whole process, from the edit that was seen to the first call that it could have answered. */
  processorMs: number;
  warnings: readonly string[];
  /** Scopes that the demo client has from now on; its tokens in the file are new. */
  newScopes: readonly string[];
}

export interface RefusedFacts {
  /** True where nothing is served yet: there is no last good one. */
  isFirst: boolean;
}
