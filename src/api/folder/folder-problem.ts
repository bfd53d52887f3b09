import { StartupError } from '../../errors/startup-error.ts';
import type { TextLocation } from './locations/code-frame.ts';

/** Something that keeps an API folder from being served. */
export interface FolderProblem {
  /** Relative to the folder. */
  file: string;
  /** Where in the file: a JSON pointer, or the name of a member. */
  path?: string;
  /** A sentence, without the full stop at its end. */
  reason: string;
  /** The same in lines and columns, once it was looked for. */
  location?: TextLocation;
}

/** An API folder that cannot be served. Its message has every problem, each in a line, with the lines that it is about. */
export class FolderError extends StartupError {
  readonly problems: readonly FolderProblem[];
  constructor(problems: readonly FolderProblem[]) {
    super(problems.map(problemText).join('\n'));
    this.problems = problems;
  }
}

export function problemText({ file, path, reason, location }: FolderProblem): string {
  const at = location ? `:${location.line}:${location.column}` : '';
  const line = `${file}${at}${path === undefined ? '' : `: ${path}`}: ${reason}.`;
  return location?.frame ? `${line}\n${location.frame}` : line;
}

export function refuse(file: string, reason: string, path?: string): FolderError {
  return new FolderError([{ file, reason, ...(path === undefined ? {} : { path }) }]);
}
