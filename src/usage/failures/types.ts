import type { Id } from '../../kernel/ids.ts';

export type FailedRequestId = Id<'failed request'>;

export const failedRequestIdPrefix = 'frq';

/** A request that was answered with 4xx or 5xx. */
export interface FailedRequest {
  id: FailedRequestId;
  requestId: string;
  at: Date;
  /** Of a request without an authenticated client, the one that its token belongs to, or that it named; else null. */
  clientId: string | null;
  operation: string | null;
  method: string;
  route: string;
  version: string;
  /** The version that it asked for; null where it named none, or no text that could be one. */
  requestedVersion: string | null;
  status: number;
  code: string | null;
  durationMs: number;
}

/** Requests that failed in the same way. */
export interface FailureGroup
  extends Pick<FailedRequest, 'clientId' | 'operation' | 'version' | 'requestedVersion' | 'status' | 'code'> {
  requests: number;
  lastAt: Date;
}
