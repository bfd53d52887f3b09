import { type CompiledOperation, declaredBody, type Operation } from '@dateline/versions';

/** The headers that the contract of an operation has, by the names that it gives them. */
export function declaredHeaders({ headers }: Operation): string[] {
  return Object.keys(headers?.properties ?? {});
}

/**
 * Headers that an operation takes and answers with because of the statuses that its contract declares: who promises a 304 takes
 * conditions, and who promises a 206 takes ranges (RFC 9110 §13 and §14). Nobody has to declare them one by one.
 */
export function impliedRequestHeaders({ operation, ...compiled }: CompiledOperation): string[] {
  return [
    ...(hasStatus(operation, 304) ? ['if-none-match', 'if-modified-since'] : []),
    ...(hasStatus(operation, 412) ? ['if-match', 'if-none-match', 'if-unmodified-since'] : []),
    ...(hasRanges(operation, compiled) ? ['range', 'if-range'] : []),
  ];
}

export function impliedAnswerHeaders({ operation, ...compiled }: CompiledOperation): string[] {
  const statuses = [300, 301, 302, 303, 307, 308];
  return [
    ...(statuses.some((status) => hasStatus(operation, status)) ? ['location'] : []),
    ...(hasRanges(operation, compiled) ? ['accept-ranges', 'content-range'] : []),
  ];
}

/** A range counts the bytes of the upstream: where a version translates those, all of them are answered instead. */
function hasRanges(
  operation: Operation,
  { downgradeResponse, downgradeContent }: Pick<CompiledOperation, 'downgradeResponse' | 'downgradeContent'>,
): boolean {
  return !downgradeResponse && !downgradeContent && hasStatus(operation, 206);
}

function hasStatus(operation: Operation, status: number): boolean {
  return declaredBody(operation, status) !== undefined || status in operation.errors;
}
