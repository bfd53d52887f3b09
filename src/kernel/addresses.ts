import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True if a host of a setting or a URL is this machine. */
export function isThisMachine(host: string): boolean {
  const address = addressIn(host);
  return address === null ? isLocalhost(host) : isLoopbackAddress(address);
}

/** RFC 6761 §6.3: these mean this machine, without a DNS query. */
export function isLocalhost(host: string): boolean {
  return /(^|\.)localhost$/.test(host);
}

/** The address that a host is, without the brackets that URLs put around IPv6; null if it is a name. */
export function addressIn(host: string): string | null {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}

/** Azure answers virtual machines here, as other clouds do on 169.254.169.254. To the rest of the world it is an address. */
const AZURE_METADATA = '168.63.129.16';

/** Global unicast. All other IPv6 is refused without a list: it is not public, or not yet. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Networks that have IPv6 only reach the rest here (RFC 6052 §2.1). The IPv4 address at the end is what counts. */
const TRANSLATED_V4 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** True if an address is reachable from everywhere: a request to it reveals nothing about the internal network. */
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
