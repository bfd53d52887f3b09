export interface ConsolePlace {
  issuer: string;
  /** Of the operators' own listener; null where there is none. */
  operatorUrl: string | null;
}

/**
 * Where a console leads to that of the other environment: an address, or the port on its own host, since a listener does not know by
 * which name operators reach it. Null where the console is public and the other one is not: strangers learn nothing of it.
 */
export function otherConsole({ operatorUrl }: ConsolePlace, other: ConsolePlace): string | null {
  if (other.operatorUrl === null) return other.issuer;
  return operatorUrl === null ? null : `:${new URL(other.operatorUrl).port || '80'}`;
}
