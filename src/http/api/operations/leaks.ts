import { ApiError } from '../../../errors/api-error.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { createThrottle, networkOf } from '../../../kernel/throttle.ts';
import { reportLeak } from '../../../oauth/leaks/report-leak.ts';
import type { OperationHandlers } from '../handler.ts';

/** Needs no authentication: a finder need not know whose token it is, and the answer does not reveal it. */
export function leakHandlers(clock: Clock): Pick<OperationHandlers, 'oauth2:report_leak'> {
  const throttle = createThrottle({ clock, failuresMax: 60, windowSeconds: 60, keysMax: 100_000 });
  return {
    async 'oauth2:report_leak'({ context, request, caller }) {
      const address = caller.address();
      const network = networkOf(address);
      const waitSeconds = throttle.waitSeconds(network);
      if (waitSeconds !== null) throw tooManyReports(waitSeconds);
      throttle.fail(network);
      await reportLeak(context, request.body.token, {
        actor: { type: 'system', id: null },
        details: { reported_from: address },
      });
      return { status: 200, body: {} };
    },
  };
}

function tooManyReports(waitSeconds: number): ApiError {
  return new ApiError('too_many_requests', {
    detail: 'Too many reports from one address. Wait, then try again.',
    headers: { 'retry-after': String(waitSeconds) },
  });
}
