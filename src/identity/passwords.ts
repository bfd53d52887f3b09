import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../errors/api-error.ts';
import { createBound } from '../kernel/bound.ts';

// The library exports its algorithms as a const enum, which isolated modules cannot read.
const ARGON2ID = 2;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const passwordLengthMin = 12;
export const passwordLengthMax = 200;

/** Each takes a core and 19 MiB: many at once would leave nothing of either to other requests. */
const hashing = createBound({
  atOnceMax: 2,
  waitingMax: 50,
  refusal: () =>
    new ApiError('too_many_requests', {
      detail: 'Too many passwords are being checked at the moment. Wait, then try again.',
      headers: { 'retry-after': '2' },
    }),
});

export async function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password, OPTIONS));
}

export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return hashing.run(() => verify(passwordHash, password));
}
