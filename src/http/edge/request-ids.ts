import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { createRandomPool, randomBase62 } from '../../kernel/base62.ts';

export interface RequestIds {
  /** For a request that could not be parsed. */
  own(): string;
  of(request: IncomingMessage): string;
}

/** Gives every request an id of ours; a trusted proxy's id is kept, so that both logs can be matched. */
export function createRequestIds(trustedProxies: readonly string[]): RequestIds {
  const trusted = toBlockList(trustedProxies);
  const drawBytes = createRandomPool();
  const own = (): string => `req_${randomBase62(22, drawBytes)}`;
  return {
    own,
    of(request) {
      const sent = request.headers['x-request-id'];
      const usable = typeof sent === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(sent);
      return usable && isListed(trusted, request.socket.remoteAddress) ? sent : own();
    },
  };
}

function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false;
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
