import { hash, verify } from '@node-rs/argon2';

// The library exports its algorithms as a const enum, which isolated modules cannot read.
const ARGON2ID = 2;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const passwordLengthMin = 12;
export const passwordLengthMax = 200;

export async function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
