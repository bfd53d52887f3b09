import { type EnvironmentName, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';

/** What a token is stored by; null for what cannot be a token of this environment and needs no look-up. */
export function tokenDigest(environment: EnvironmentName, tokenValue: string): Buffer | null {
  const prefixes = [secretPrefix(environment, 'at'), secretPrefix(environment, 'rt')];
  return prefixes.some((prefix) => isCheckedSecret(prefix, tokenValue)) ? digestOf(tokenValue) : null;
}
