import type { EnvironmentName } from '../../../environments/environment.ts';
import { isCheckedSecret } from '../../../kernel/checked-secret.ts';

/** The kinds of `SecretKind` that people come across. */
const names: Readonly<Record<string, string>> = {
  at: 'an access token',
  rt: 'a refresh token',
  ac: 'an authorization code',
  cs: 'a client secret',
  op: 'an operator key',
  ra: 'a registration access token',
  ir: 'a registration token',
  ss: 'a session of a user',
  os: 'a session of the console',
  pl: 'a link to set a password',
};

const ADVICE = 'Secrets are not searched for. If this one may have leaked, report it.';

/** What to do with a secret that somebody searches for; null for any other text. It never repeats it. */
export function secretNotice(environment: EnvironmentName, text: string): string | null {
  if (/whsec_/.test(text)) return `This looks like a webhook secret. ${ADVICE}`;
  const [, prefix = '', test, kind = ''] = /(?:^|\W)(dl_(test_)?([a-z]{2})_)\w{8,}/.exec(text) ?? [];
  const name = names[kind];
  if (name === undefined) return null;
  const value = text.slice(text.indexOf(prefix));
  if (!isCheckedSecret(prefix, value))
    return `This looks like ${name}, and is none: a character may be missing. ${ADVICE}`;
  const of: EnvironmentName = test === undefined ? 'production' : 'sandbox';
  const here = environment === 'production' ? 'production' : 'the sandbox';
  if (of !== environment) return `This is ${name} of ${of}; this is ${here}. ${ADVICE}`;
  if (kind === 'at' || kind === 'rt') return `This is ${name} that is not stored here any more. ${ADVICE}`;
  return `This is ${name}. ${ADVICE}`;
}
