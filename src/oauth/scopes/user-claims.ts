import type { User } from '../../identity/types.ts';
import type { Scope } from './scopes.ts';

export interface UserClaims {
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
}

/** The claims about a user that these scopes release (OpenID Connect Core §5.4). */
export function userClaims({ name, email }: User, scopes: readonly Scope[]): UserClaims {
  const [profile, address] = [scopes.includes('profile'), scopes.includes('email')];
  return {
    ...(profile ? { name } : {}),
    // People sign in with their address and have no other username. It is a claim of profile, which must not reveal an address.
    ...(profile && address ? { preferred_username: email } : {}),
    // The operator has entered the address; its owner has not confirmed it.
    ...(address ? { email, email_verified: false } : {}),
  };
}
