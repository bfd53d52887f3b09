/** A part of an OpenAPI document that is refused, and why. */
export interface OpenApiProblem {
  /** A JSON pointer (RFC 6901), such as `/paths/~1orders/get`; empty for the document as a whole. */
  path: string;
  reason: string;
  /** The file that it stands in, where that is known. */
  file?: string;
}

/** A problem in one line. `file` is the one that it stands in, unless the problem knows better. */
export function openApiProblemText(problem: OpenApiProblem, file: string): string {
  const location = problem.path === '' ? '' : `#${problem.path}`;
  return `${problem.file ?? file}${location}: ${problem.reason}`;
}
