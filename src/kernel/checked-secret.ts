import { crc32 } from 'node:zlib';
import { eightDigits, randomBase62 } from './base62.ts';

// 32 base62 characters carry 190.5 random bits; six more hold the CRC32 of all that stands before them.
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;

/** Makes a secret such as `dl_at_…`: prefix, random part, check. Its alphabet is `[A-Za-z0-9_]`. */
export function newCheckedSecret(prefix: string): string {
  const body = prefix + randomBase62(RANDOM_LENGTH);
  return body + checkOf(body);
}

/** True if the checksum fits: a mistyped, cut or made-up value fails here, before any look-up. */
export function isCheckedSecret(prefix: string, value: string): boolean {
  if (value.length !== prefix.length + RANDOM_LENGTH + CHECK_LENGTH || !value.startsWith(prefix))
    return false;
  const body = value.slice(0, -CHECK_LENGTH);
  return value.endsWith(checkOf(body)) && /^[0-9A-Za-z]+$/.test(body.slice(prefix.length));
}

function checkOf(body: string): string {
  return eightDigits(crc32(body)).slice(-CHECK_LENGTH);
}
