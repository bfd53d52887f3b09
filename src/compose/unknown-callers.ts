import { createOperationFinder } from '../api/find-operation.ts';
import { bearerIn } from '../http/app/bearer.ts';
import type { RecordOptions, UnknownCaller } from '../http/edge/record-request.ts';
import { pathOf } from '../http/edge/request-context.ts';
import { tokenDigest } from '../oauth/tokens/token-digest.ts';
import { isClientId } from '../oauth/types.ts';
import type { CallerClaim } from '../usage/callers/held-requests.ts';
import { createCallerLog } from '../usage/callers/keep-callers.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';

/** Records requests that failed before their callers were known, with what they tell about them. */
export function unknownCallerRecord(runtime: EnvironmentRuntime): RecordOptions['recordUnknownCaller'] {
  const { name, build, callers, life } = runtime;
  const { record } = createCallerLog(callers);
  const findOperation = createOperationFinder(build.api);

  /** The token of a request whose version was refused; the client that any other one has named. */
  function claimOf({ use, request, namedClient }: UnknownCaller): CallerClaim | null {
    if (!use.choice.startsWith('rejected_'))
      return namedClient !== null && isClientId(namedClient)
        ? { kind: 'client', clientId: namedClient }
        : null;
    const token = bearerIn(request.headers.authorization);
    const digest = token === null ? null : tokenDigest(name, token);
    return digest && { kind: 'token', digest };
  }

  return (failed) => {
    const { use, failure, removed, request } = failed;
    const claim = claimOf(failed);
    const meantOperation =
      claim && removed && findOperation(removed.version, failure.method, pathOf(request));
    record({ use, failure, at: life.clock.now(), meantOperation, removed }, claim);
  };
}
