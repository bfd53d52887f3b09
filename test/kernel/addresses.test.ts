import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress, isThisMachine } from '../../src/kernel/addresses.ts';

describe('an address', () => {
  it.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private, 10/8', '10.0.0.0', '10.255.255.255'],
    ['between providers and customers', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local, with the metadata of clouds', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
    ['private, 172.16/12', '172.16.0.0', '172.31.255.255'],
    ['for protocols', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
    ['documentation, TEST-NET-1', '192.0.2.0', '192.0.2.255'],
    ['documentation, TEST-NET-2', '198.51.100.0', '198.51.100.255'],
    ['documentation, TEST-NET-3', '203.0.113.0', '203.0.113.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['private, 192.168/16', '192.168.0.0', '192.168.255.255'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved, and broadcast', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
    ['the metadata of Azure', '168.63.129.16'],
  ])('[webhooks 17] is not public if it is %s', (_what, ...addresses) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
  });

  it('[webhooks 17] is public on both sides of each of those blocks', () => {
    for (const address of [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '191.255.255.255',
      '192.0.1.0',
      '192.0.3.0',
      '192.88.98.255',
      '192.88.100.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '198.51.99.255',
      '198.51.101.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
      '168.63.129.15',
      '168.63.129.17',
    ])
      expect(isPublicAddress(address), address).toBe(true);
  });

  it.each([
    ['nothing', '::'],
    ['loopback', '::1'],
    ['an old form of IPv4', '::8.8.8.8', '::127.0.0.1', '::a9fe:a9fe'],
    ['mapped IPv4', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
    ['translated IPv4, old form', '::ffff:0:7f00:1'],
    ['IPv4 behind NAT64 that is not public', '64:ff9b::a9fe:a9fe', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1'],
    ['behind a NAT64 of somebody’s own', '64:ff9b:1::', '64:ff9b:1::808:808', '64:ff9b:1:ffff::a9fe:a9fe'],
    ['for discarding', '100::', '100::1', '100:0:0:1::1'],
    [
      'for protocols, and Teredo',
      '2001::',
      '2001:0:808:808::1',
      '2001:1ff:ffff::1',
      '2001:2::1',
      '2001:20::1',
    ],
    ['documentation', '2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
    ['6to4', '2002::', '2002:a9fe:a9fe::', '2002:7f00:1::1', '2002:808:808::1'],
    ['of segment routing', '5f00::', '5f00::1'],
    ['not given out', '4000::1', '8000::1', 'e000::1', '1::1', '1fff:ffff::1'],
    ['private', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
    ['link-local', 'fe80::', 'fe80::1', 'febf:ffff::1', 'fe80::1%eth0'],
    ['site-local', 'fec0::', 'fec0::1', 'feff::1'],
    ['multicast', 'ff00::', 'ff02::1', 'ffff:ffff::1'],
    ['with a zone', '2606:4700::1111%eth0'],
  ])('[webhooks 18] of IPv6 is not public if it is %s', (_what, ...addresses) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
  });

  it('[webhooks 18] of IPv6 is public elsewhere in 2000::/3, and behind NAT64 if the address there is', () => {
    for (const address of [
      '2000::1',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2001:db7:ffff::1',
      '2001:db9::1',
      '2003::1',
      '2606:4700:4700::1111',
      '2a00:1450::1',
      '3ffe:ffff::1',
      '3fff:1000::1',
      '64:ff9b::808:808',
      '64:ff9b::8.8.8.8',
    ])
      expect(isPublicAddress(address), address).toBe(true);
  });

  it.each([
    '',
    'example.com',
    '8.8.8',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8/32',
    '[2000::1]',
    ' 8.8.8.8',
  ])('is not public if it is malformed, as %j', (text) => expect(isPublicAddress(text)).toBe(false));

  it('is loopback in 127/8 and ::1 only', () => {
    for (const address of ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'])
      expect(isLoopbackAddress(address), address).toBe(true);
    for (const address of [
      '126.255.255.255',
      '128.0.0.0',
      '0.0.0.0',
      '::',
      '::2',
      '::ffff:127.0.0.1',
      '10.0.0.1',
      '',
    ])
      expect(isLoopbackAddress(address), address).toBe(false);
  });

  it.each([
    ['localhost', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['[::1]', true],
    ['0.0.0.0', false],
    ['[::]', false],
    ['127.0.0.1.example.com', false],
    ['localhost.example.com', false],
    ['notlocalhost', false],
    ['', false],
  ])('of the host %j is this machine: %s', (host, expected) => expect(isThisMachine(host)).toBe(expected));
});
