import type { Id } from '../../kernel/ids.ts';

export type FailedRequestId = Id<'failed request'>;

export const failedRequestIdPrefix = 'frq';

/** A request that was answered with 4xx or 5xx. */
export interface FailedRequest {
  id: FailedRequestId;
  requestId: string;
  at: Date;
  /** Null for a request without an authenticated client. */
  clientId: string | null;
  operation: string | null;
  method: string;
  route: string;
  version: string;
  status: number;
  code: string | null;
  durationMs: number;
}

/** Requests that failed in the same way. */
export interface FailureGroup
  extends Pick<FailedRequest, 'clientId' | 'operation' | 'version' | 'status' | 'code'> {
  requests: number;
  lastAt: Date;
}
