import type { SecretBox } from '../../secrets/secret-box.ts';
import { secretContext } from '../endpoints/endpoint-secrets.ts';
import type { SecretId } from '../types.ts';

/** A secret as it is kept, in hex. */
export interface SealedSecret {
  id: SecretId;
  sealed: string;
}

const OPENED_MAX = 10_000;

/** Opens secrets, and remembers what it has opened: to derive their keys costs more than to sign. */
export function createSecretOpener(box: SecretBox): (secret: SealedSecret) => string {
  const opened = new Map<string, string>();
  return ({ id, sealed }) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const secret = box.unseal(secretContext(id), Buffer.from(sealed, 'hex'));
    if (opened.size >= OPENED_MAX) opened.clear();
    opened.set(sealed, secret);
    return secret;
  };
}
