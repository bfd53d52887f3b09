import { isDeepStrictEqual } from 'node:util';
import {
  type ApiSource,
  type ApiStep,
  type ApiVersion,
  apiSteps,
  stepProofProblems,
} from '@dateline/versions';
import { FolderError, type FolderProblem } from './folder-problem.ts';

/** What samples show of the changes of a folder. */
export interface ChangeProof {
  /** Of the changes to Next, which can be corrected. */
  problems: readonly FolderProblem[];
  /** The same of changes between frozen versions: what those answer is settled, and refused call by call. */
  warnings: readonly FolderProblem[];
}

export function proveChanges(source: ApiSource, next: ApiVersion): ChangeProof {
  const steps = apiSteps(source);
  const found = (wanted: (step: ApiStep) => boolean): FolderProblem[] =>
    steps.filter(wanted).flatMap(problemsOf);
  return {
    problems: found(({ newer }) => newer.version === next),
    warnings: found(({ newer }) => newer.version < next),
  };
}

/** A version is not frozen with changes that are shown to be wrong. */
export function requireProof(source: ApiSource, next: ApiVersion): void {
  const { problems } = proveChanges(source, next);
  if (problems.length > 0) throw new FolderError(problems);
}

function problemsOf(step: ApiStep): FolderProblem[] {
  const file = step.folder.replace(/\/$/, '');
  return sentencesOf(step).map((sentence) => ({ file, reason: sentence.replace(/\.$/, '') }));
}

/** What the samples of a step have shown, by its changes: the longest part of a check, and nothing new while the step is the same. */
const proved = new WeakMap<readonly object[], { documents: ApiStep['documents']; sentences: string[] }>();

function sentencesOf(step: ApiStep): string[] {
  const { writtenAs, documents } = step;
  const known = writtenAs && proved.get(writtenAs);
  if (known && isDeepStrictEqual(known.documents, documents)) return known.sentences;
  const sentences = stepProofProblems(step);
  if (writtenAs) proved.set(writtenAs, { documents, sentences });
  return sentences;
}
