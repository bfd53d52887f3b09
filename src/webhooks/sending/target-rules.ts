import { addressIn, isLocalhost, isLoopbackAddress, isPublicAddress } from '../../kernel/addresses.ts';
import { urlOf } from '../../kernel/url.ts';
import { portOf } from '../../outbound/connection.ts';

/** Where webhooks may go. */
export interface TargetRules {
  ports: readonly number[];
  /**
   * Also this machine itself, and then http and every port: for the sandbox, while the service can be reached from this
   * machine only. Other private addresses stay forbidden.
   */
  loopback: boolean;
}

/** The same without this machine. */
export function publicOnly({ ports }: TargetRules): TargetRules {
  return { ports, loopback: false };
}

export type CheckedTarget =
  /** The address is that in the URL, checked; null where it has a name. */
  { url: URL; address: string | null } | { problem: string };

const LENGTH_MAX = 2048;

/** Names for use inside of networks only (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN's decision). */
const INNER_NAMES = /\.(localhost|local|internal|home\.arpa)$/;

/**
 * Reads the URL of an endpoint. A problem is the end of a sentence that begins with the field. Where a name leads is not
 * known here: that is checked on the socket, at every attempt.
 */
export function checkTarget(text: string, rules: TargetRules): CheckedTarget {
  const problem = textProblem(text);
  if (problem) return { problem };
  const url = new URL(text);
  const partProblem =
    schemeProblem(url, rules) ?? shapeProblem(text) ?? portProblem(url, rules) ?? hostProblem(url, rules);
  return partProblem ? { problem: partProblem } : { url, address: addressIn(url.hostname) };
}

export function isAllowedAddress(address: string, rules: TargetRules): boolean {
  return isPublicAddress(address) || (rules.loopback && isLoopbackAddress(address));
}

function textProblem(text: string): string | null {
  if (text.length > LENGTH_MAX) return `must not be longer than ${LENGTH_MAX} characters`;
  // Parsers drop some of these in silence, and read the backslash as a slash.
  if (/[\s\p{Cc}\\]|%00/u.test(text)) return 'has characters that are not allowed in a URL';
  if (text.includes('#')) return 'must not have a fragment';
  return urlOf(text) ? null : 'must be an absolute URL';
}

function schemeProblem({ protocol }: URL, { loopback }: TargetRules): string | null {
  if (protocol === 'https:' || (protocol === 'http:' && loopback)) return null;
  return loopback ? 'must be https or http' : 'must be https';
}

function shapeProblem(text: string): string | null {
  // The URL parser accepts slashes that a reader of the URL would not expect.
  if (!/^https?:\/\/[^/?]/i.test(text)) return 'must be an absolute URL';
  return /^\w+:\/\/[^/?]*@/.test(text) ? 'must not hold a user name or a password' : null;
}

function portProblem(url: URL, { ports, loopback }: TargetRules): string | null {
  if (loopback || ports.includes(portOf(url))) return null;
  return ports.length === 1 ? `must have port ${ports[0]}` : `must have one of the ports ${ports.join(', ')}`;
}

function hostProblem(url: URL, rules: TargetRules): string | null {
  const address = addressIn(url.hostname);
  if (address !== null)
    return isAllowedAddress(address, rules) ? null : 'must not be an address that is not public';
  if (url.hostname.endsWith('.')) return 'must not have a host that ends in a dot';
  if (isLocalhost(url.hostname)) return rules.loopback ? null : 'must not be this machine';
  const isInner = !url.hostname.includes('.') || INNER_NAMES.test(url.hostname);
  return isInner ? 'must have a host with a public name' : null;
}
