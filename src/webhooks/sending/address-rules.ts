import { BlockList, isIP } from 'node:net';

type Block = readonly [network: string, bits: number];

/** Of IANA's special-purpose registry (RFC 6890) all that is not for everybody, and one address that clouds have taken. */
const SPECIAL_V4: readonly Block[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure answers virtual machines here, as others do on 169.254.169.254.
  ['168.63.129.16', 32],
];

/** What is given out to everybody. All else is refused without being named: ::1, mapped addresses, fc00::/7, 5f00::/16 … */
const GLOBAL_V6: Block = ['2000::', 3];

/** Within it: protocols' own addresses with Teredo, documentation twice, and 6to4, which can hide any IPv4 address. */
const SPECIAL_V6: readonly Block[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Networks that have IPv6 only reach the rest here (RFC 6052 §2.1). The IPv4 address at the end is what counts. */
const TRANSLATED: Block = ['64:ff9b::', 96];

const specialV4 = blockList('ipv4', SPECIAL_V4);
const loopbackV4 = blockList('ipv4', [['127.0.0.0', 8]]);
const globalV6 = blockList('ipv6', [GLOBAL_V6, TRANSLATED]);
const specialV6 = blockList('ipv6', [...SPECIAL_V6, ...SPECIAL_V4.map(translated)]);

/** Whether an address can be reached from everywhere, so that reaching it from here tells nothing about the inside. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      // A zone, as in fe80::1%eth0, names one of our own interfaces; lists of blocks cannot read it.
      return !address.includes('%') && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && loopbackV4.check(address, 'ipv4'));
}

function translated([network, bits]: Block): Block {
  const [prefix, prefixBits] = TRANSLATED;
  return [`${prefix}${network}`, prefixBits + bits];
}

function blockList(family: 'ipv4' | 'ipv6', blocks: readonly Block[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of blocks) list.addSubnet(network, bits, family);
  return list;
}
