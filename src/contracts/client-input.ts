import { type ApiVersion, nextVersion, type OpenApiDocument, previousVersion } from '@dateline/versions';
import { apiSource, frozenVersions } from './api.ts';
import { clientCall } from './client-calls.ts';
import { headVersion } from './head/version.ts';

/** The input of the client generator. */
export interface ClientInput {
  /** Of each version that has a client, oldest first. */
  documents: OpenApiDocument[];
  /** The version after them, which a release makes Next: it starts with the contract of the last of them. */
  following: ApiVersion;
  /** The version before them: its imports say where to go. */
  removed: ApiVersion;
  /** Where they send people: the newest version that can no longer change. */
  recommended: ApiVersion;
  /** The method of the client that an operation is called by; null where it has none. */
  callOf(operationId: string): string | null;
}

export function clientInput(): ClientInput {
  const [oldest = headVersion] = frozenVersions();
  return {
    // The last one is that of the version after Next, which is still the same.
    documents: apiSource().documents.slice(0, -1),
    following: nextVersion(headVersion),
    removed: previousVersion(oldest),
    recommended: previousVersion(headVersion),
    callOf: clientCall,
  };
}
