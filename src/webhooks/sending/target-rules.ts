import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { urlOf } from '../../kernel/url.ts';

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

export type CheckedTarget = { url: URL } | { problem: string };

const LENGTH_MAX = 2048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

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
  return partProblem ? { problem: partProblem } : { url };
}

export function isAllowedAddress(address: string, rules: TargetRules): boolean {
  return isPublicAddress(address) || (rules.loopback && isLoopbackAddress(address));
}

/** The address that a host is, without the brackets that URLs put around IPv6; null if it is a name. */
export function addressIn({ hostname }: URL): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}

/** RFC 6761 §6.3: these mean this machine, without a DNS query. */
export function isLocalhost({ hostname }: URL): boolean {
  return /(^|\.)localhost$/.test(hostname);
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
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
  const address = addressIn(url);
  if (address !== null)
    return isAllowedAddress(address, rules) ? null : 'must not be an address that is not public';
  if (url.hostname.endsWith('.')) return 'must not have a host that ends in a dot';
  if (isLocalhost(url)) return rules.loopback ? null : 'must not be this machine';
  const isInner = !url.hostname.includes('.') || INNER_NAMES.test(url.hostname);
  return isInner ? 'must have a host with a public name' : null;
}

/** Azure answers virtual machines here, as other clouds do on 169.254.169.254. To the rest of the world it is an address. */
const AZURE_METADATA = '168.63.129.16';

/** Global unicast. All other IPv6 is refused without a list: it is not public, or not yet. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Networks that have IPv6 only reach the rest here (RFC 6052 §2.1). The IPv4 address at the end is what counts. */
const TRANSLATED_V4 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Whether an address can be reached from everywhere, so that reaching it from here reveals nothing of the inside. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === null) return false;
  return address instanceof ipaddr.IPv4 ? isPublicV4(address) : isPublicV6(address);
}

export function isLoopbackAddress(text: string): boolean {
  return parse(text)?.range() === 'loopback';
}

/** Null for what Node would not connect to. The library also reads forms such as 0x7f.1. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone, as in fe80::1%eth0, names one of our own interfaces.
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

/** "Unicast" is what is left when all blocks of IANA's special-purpose registry (RFC 6890) are taken away. */
function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_METADATA;
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.match(TRANSLATED_V4)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.match(GLOBAL_V6) && address.range() === 'unicast';
}
