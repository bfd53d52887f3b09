/** Names of fields whose values nobody is to read over somebody's shoulder. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?$|secret|token|authori[sz]ation|cookie|credential|api.?key|private.?key|signature|assertion|code.?verifier|^(?:pin|cvv|cvc|otp|jwt|code)$/i;

/** Secrets of ours and of others that are known by how they begin, wherever they stand. */
const SECRET_VALUE =
  /\bdl_(?:test_)?[a-z]{2}_[A-Za-z0-9]+|\bwhsec_[A-Za-z0-9+/=]+|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]+|\b(?:sk|pk|ghp|gho|xox[abp])[_-][\w-]{8,}/g;

export const HIDDEN = '(hidden)';

/** The same data without what looks like a secret, by its name or by what it is. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretTexts(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && member !== null ? HIDDEN : withoutSecrets(member),
    ]),
  );
}

export function withoutSecretTexts(text: string): string {
  return text.replaceAll(SECRET_VALUE, HIDDEN);
}

/** Of a query, or of a form: what stands behind the name of a secret is left out. */
export function queryWithoutSecrets(query: string): string {
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return SECRET_NAME.test(name.replace(/(?:%5[bd]|[[\]])+$/gi, '')) ? `${name}=${HIDDEN}` : pair;
  });
  return withoutSecretTexts(pairs.join('&'));
}
