import { type Context, secretPrefix } from '../../../environments/environment.ts';
import { newCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { wholeSeconds } from '../../tokens/issue-token.ts';
import { insertCode, type StoredCode } from './store.ts';

export interface NewCode
  extends Omit<StoredCode, 'digest' | 'redirectUriOmitted' | 'expiresAt' | 'grantId' | 'usedAt'> {
  redirectUriOmitted?: boolean;
}

/** Issues a code for what a user has allowed. */
export async function issueCode(context: Context, code: NewCode): Promise<string> {
  const codeValue = newCheckedSecret(secretPrefix(context.name, 'ac'));
  const expiresAt = wholeSeconds(context.clock.now(), context.lifetimes.codeSeconds);
  const { redirectUriOmitted = false } = code;
  await insertCode(context.session, { ...code, redirectUriOmitted, digest: digestOf(codeValue), expiresAt });
  return codeValue;
}
