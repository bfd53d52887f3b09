import type { ApiVersion } from '@dateline/versions';

/**
 * The kinds that may be published from outside: those of the API that a company serves with this service. The service's own
 * kinds are none of them: nobody must be able to claim that a token was revoked.
 */
export interface FolderKinds {
  /** What senders write in: the newest version of the build, from which events of all others are derived. */
  readonly version: ApiVersion;
  readonly kinds: ReadonlySet<string>;
}
