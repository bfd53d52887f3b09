import type { User } from '../../identity/types.ts';
import type { Scope } from './scopes.ts';

export interface UserClaims {
  name?: string;
  email?: string;
  email_verified?: boolean;
}

/** What these scopes reveal of a user (OpenID Connect Core §5.4). */
export function userClaims({ name, email }: User, scopes: readonly Scope[]): UserClaims {
  return {
    ...(scopes.includes('profile') ? { name } : {}),
    // The operator has entered the address; its owner has not confirmed it.
    ...(scopes.includes('email') ? { email, email_verified: false } : {}),
  };
}
