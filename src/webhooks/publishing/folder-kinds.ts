import type { ApiVersion } from '@dateline/versions';

/**
 * The kinds that may be published from outside: those of the API that a company serves with this service. The service's own
 * kinds are none of them: nobody must be able to claim that a token was revoked.
 */
export interface FolderKinds {
  /** The version that senders write in: the newest of the build, from which events of all others are derived. */
  readonly version: ApiVersion;
  readonly kinds: ReadonlySet<string>;
}
