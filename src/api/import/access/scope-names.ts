/** Names that scopes can have: those that they had, where Dateline can use them. */
export interface ScopeNames {
  of(scope: string): string;
}

export function createScopeNames(reserved: ReadonlySet<string>): ScopeNames {
  return {
    of(scope) {
      // RFC 6749 §3.3
      const name = scope.replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '_').slice(0, 190) || 'api';
      return reserved.has(name) ? `api.${name}` : name;
    },
  };
}
