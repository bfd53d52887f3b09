import { digestOf } from '../kernel/digest.ts';
import { canonicalJson } from '../kernel/json.ts';

/** Equal for equal requests: the order of keys in an object does not matter. */
export function requestDigest(request: unknown): Buffer {
  return digestOf(canonicalJson(request));
}
