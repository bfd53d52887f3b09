import { StartupError } from '../../errors/startup-error.ts';

/** Something that keeps an API folder from being served. */
export interface FolderProblem {
  /** Relative to the folder. */
  file: string;
  /** Where in the file: a JSON pointer, or the name of a member. */
  path?: string;
  /** A sentence, without the full stop at its end. */
  reason: string;
}

/** An API folder that cannot be served. Its message has every problem, one in a line. */
export class FolderError extends StartupError {
  readonly problems: readonly FolderProblem[];
  constructor(problems: readonly FolderProblem[]) {
    super(problems.map(problemText).join('\n'));
    this.problems = problems;
  }
}

export function problemText({ file, path, reason }: FolderProblem): string {
  return `${file}${path === undefined ? '' : `: ${path}`}: ${reason}.`;
}

export function refuse(file: string, reason: string, path?: string): FolderError {
  return new FolderError([{ file, reason, ...(path === undefined ? {} : { path }) }]);
}
