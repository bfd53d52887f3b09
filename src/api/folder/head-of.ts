import type { CompiledApi, CompiledOperation } from '@dateline/versions';

/** The operation that the upstream answers for one of any version: one of Next, or as the last version that had it. */
export function createHeadOf(api: CompiledApi): (compiled: CompiledOperation) => CompiledOperation {
  const newestFirst = [...api.values()].toReversed();
  return (compiled) => {
    const { headOperationId } = compiled;
    const found = newestFirst.find(({ operations }) => operations.has(headOperationId));
    return found?.operations.get(headOperationId) ?? compiled;
  };
}
