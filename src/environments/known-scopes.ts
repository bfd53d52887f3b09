/** What a token may be allowed to do, by its name (RFC 6749 §3.3). One that is stored need not be known any more. */
export type Scope = string;

/** The scopes of an environment. No other is ever granted. */
export interface KnownScopes {
  /** All of them, those included that are granted only where they are named. */
  readonly all: readonly Scope[];
  /** What is granted where a client names nothing. */
  readonly usual: readonly Scope[];
  /** Those about a user; a client that acts for itself has none. */
  readonly ofPeople: readonly Scope[];
  /** Those of the API that is served here, and not Dateline's: every version knows them, whatever its contract lists. */
  readonly ofFolder: readonly Scope[];
  /** Whether one of these scopes acts in an organization; one that is not known may have done so. */
  needsOrganization(asked: readonly Scope[]): boolean;
  /** A scope as people read it, after "asks for permission to"; its name if it is not known. */
  wordsFor(scope: Scope): string;
}
