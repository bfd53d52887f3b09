import { type EnvironmentName, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';

/** The digest a token is stored by; null for what cannot be a token of this environment and needs no look-up. */
export function tokenDigest(environment: EnvironmentName, tokenValue: string): Buffer | null {
  const { access, refresh } = prefixes[environment];
  const canBeToken = isCheckedSecret(access, tokenValue) || isCheckedSecret(refresh, tokenValue);
  return canBeToken ? digestOf(tokenValue) : null;
}

/** Made once: every request with a token is compared with them. */
const prefixes = { production: prefixesOf('production'), sandbox: prefixesOf('sandbox') };

function prefixesOf(environment: EnvironmentName): { access: string; refresh: string } {
  return { access: secretPrefix(environment, 'at'), refresh: secretPrefix(environment, 'rt') };
}
