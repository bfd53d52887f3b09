/** The name of a permission (RFC 6749 §3.3). A stored one need not be known any more. */
export type Scope = string;

/** The scopes of an environment. No other is ever granted. */
export interface KnownScopes {
  /** Every scope, also those that are granted only if a client names them. */
  readonly all: readonly Scope[];
  /** Granted if a client names no scope. */
  readonly usual: readonly Scope[];
  /** Scopes about a user; a client that acts for itself has none. */
  readonly ofPeople: readonly Scope[];
  /** Scopes of the API folder, not Dateline's: every version knows them, whatever its contract lists. */
  readonly ofFolder: readonly Scope[];
  /** True if one of these scopes acts in an organization; an unknown one may have done so. */
  needsOrganization(asked: readonly Scope[]): boolean;
  /** A scope as people read it, after "asks for permission to"; its name if it is not known. */
  wordsFor(scope: Scope): string;
}
