// Standard Webhooks: HMAC-SHA256 over id, time and body, by a secret in base64.

const PREFIX = 'whsec_';
const SIGNATURE_BYTES = 32;
/** There are two while a secret is changed. Thousands would be an attack on our processor. */
const SIGNATURES_MAX = 8;
const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;

export interface SignedParts {
  id: string;
  timestamp: string;
  body: Uint8Array;
}

export async function sign(secret: string, parts: SignedParts): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signedBytes(parts));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Resolves to true if one of the signatures was made with one of the secrets. Each is compared in constant time. */
export async function isSigned(
  secrets: readonly string[],
  signatures: string,
  parts: SignedParts,
): Promise<boolean> {
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .flatMap((signature) => fromBase64(signature.slice(3)) ?? [])
    .filter(({ length }) => length === SIGNATURE_BYTES)
    .slice(0, SIGNATURES_MAX);
  const bytes = signedBytes(parts);
  for (const secret of secrets) {
    const key = await keyOf(secret, 'verify');
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return true;
    }
  }
  return false;
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret is whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, hmac, false, [use]);
}

function signedBytes({ id, timestamp, body }: SignedParts): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
