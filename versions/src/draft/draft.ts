import type { FoundDifference } from '../compile/compare-values.ts';

/** An entry for a list of changes, as code. */
export interface Draft {
  code: string;
  /** False where somebody has to answer a question in it. */
  isDecided: boolean;
}

/** With the operation id or event kind that it is about. */
export type NamedDifference = FoundDifference & { name: string };

/** What was drafted, and the differences that are left. */
export interface Drafted {
  drafts: Draft[];
  left: NamedDifference[];
}

export function decided(code: string): Draft {
  return { code, isDecided: true };
}

export function undecided(question: string): Draft {
  return { code: asking(question), isDecided: false };
}

/** Stands in the place of what only a person knows. */
export function asking(question: string): string {
  return `undecided(${quoted(question)})`;
}

/** A text as JavaScript has it. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
