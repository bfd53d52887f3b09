import { type GenerateKeyPairResult, generateKeyPair } from 'jose';
import type { SigningAlgorithm } from '../types.ts';

/** Key pairs that no key has been made of yet. */
export interface KeyPairs {
  /** Makes one, unless there is one: an RSA pair takes long, and whoever makes keys holds a lock that others wait for. */
  prepare(algorithm: SigningAlgorithm): Promise<void>;
  /** Each pair is handed out once. */
  take(algorithm: SigningAlgorithm): Promise<GenerateKeyPairResult>;
}

export function createKeyPairs(): KeyPairs {
  const ready = new Map<SigningAlgorithm, Promise<GenerateKeyPairResult>>();
  const make = (algorithm: SigningAlgorithm) => generateKeyPair(algorithm, { extractable: true });
  return {
    async prepare(algorithm) {
      const pair = ready.get(algorithm) ?? make(algorithm);
      ready.set(algorithm, pair);
      await pair;
    },
    take(algorithm) {
      const pair = ready.get(algorithm) ?? make(algorithm);
      ready.delete(algorithm);
      return pair;
    },
  };
}
