import { describe, expect, it } from 'vitest';
import { checkTarget, type TargetRules } from '../../../src/webhooks/sending/target-rules.ts';

const production: TargetRules = { ports: [443], loopback: false };
const loopback: TargetRules = { ports: [443], loopback: true };

function problemOf(text: string, rules = production): string | null {
  const target = checkTarget(text, rules);
  return 'problem' in target ? target.problem : null;
}

function hrefOf(text: string, rules = production): string | null {
  const target = checkTarget(text, rules);
  return 'url' in target ? target.url.href : null;
}

const NOT_PUBLIC = 'must not be an address that is not public';

describe('the URL of an endpoint', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com:443/a/b?c=d', 'https://hooks.example.com/a/b?c=d'],
    ['HTTPS://Hooks.Example.COM/A', 'https://hooks.example.com/A'],
    ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://hooks.example.com/a@b', 'https://hooks.example.com/a@b'],
    ['https://hooks.example.com/?to=a@b', 'https://hooks.example.com/?to=a@b'],
  ])('can be %s', (text, href) => {
    expect(hrefOf(text)).toBe(href);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ])('[webhooks 17] cannot have the host %s', (address) => {
    expect(problemOf(`https://${address}/`)).toBe(NOT_PUBLIC);
  });

  it.each([
    '::',
    '::1',
    'fc00::1',
    'fe80::1',
    'fd00:ec2::254',
    '2001:db8::1',
    '3fff::1',
    '::ffff:a9fe:a9fe',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:a9fe:a9fe::',
    '5f00::1',
  ])('[webhooks 18] cannot have the host [%s]', (address) => {
    expect(problemOf(`https://[${address}]/`)).toBe(NOT_PUBLIC);
  });

  it.each([
    ['decimal', 'https://2130706433/', NOT_PUBLIC],
    ['octal', 'https://0177.0.0.1/', NOT_PUBLIC],
    ['octal in one number', 'https://017700000001/', NOT_PUBLIC],
    ['hexadecimal', 'https://0x7f.0.0.1/', NOT_PUBLIC],
    ['hexadecimal in one number', 'https://0xA9FEA9FE/', NOT_PUBLIC],
    ['fewer parts', 'https://127.1/', NOT_PUBLIC],
    ['zero', 'https://0/', NOT_PUBLIC],
    ['an address that ends in a dot', 'https://127.0.0.1./', NOT_PUBLIC],
    ['a name that ends in a dot', 'https://localhost./', 'must not have a host that ends in a dot'],
    ['a public name that ends in a dot', 'https://example.com./', 'must not have a host that ends in a dot'],
    ['percent signs', 'https://%31%32%37.0.0.1/', NOT_PUBLIC],
    ['digits in circles', 'https://①②⑦.⓪.⓪.①/', NOT_PUBLIC],
    ['wide digits and stops', 'https://１２７。０。０。１/', NOT_PUBLIC],
    ['letters in circles', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'must not be this machine'],
    ['capitals', 'https://LocalHost/', 'must not be this machine'],
    ['a user before the host', 'https://hooks.example.com@[::1]/', 'must not hold a user name or a password'],
    ['an empty user', 'https://@hooks.example.com/', 'must not hold a user name or a password'],
    ['a user and a password', 'https://a:b@hooks.example.com/', 'must not hold a user name or a password'],
    ['a backslash', 'https://hooks.example.com\\@127.0.0.1/', 'has characters that are not allowed in a URL'],
    [
      'NUL in the host',
      'https://hooks.example.com%00.evil.example/',
      'has characters that are not allowed in a URL',
    ],
    ['NUL in the path', 'https://hooks.example.com/a%00', 'has characters that are not allowed in a URL'],
    ['a bare NUL', 'https://hooks.example.com/\u0000', 'has characters that are not allowed in a URL'],
    ['a tab', 'https://127.0.\t0.1/', 'has characters that are not allowed in a URL'],
    ['a line break', 'https://hooks.example.com/\r\nx: y', 'has characters that are not allowed in a URL'],
    ['a space before it', ' https://hooks.example.com/', 'has characters that are not allowed in a URL'],
    ['a zone', 'https://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['too large a number', 'https://256.0.0.1/', 'must be an absolute URL'],
  ])('[webhooks 19] cannot hide its host by %s', (_how, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it.each([
    ['https://hooks.example.com:22/', 'must have port 443'],
    ['https://hooks.example.com:8443/', 'must have port 443'],
    ['https://hooks.example.com:80/', 'must have port 443'],
    ['https://hooks.example.com:0/', 'must have port 443'],
    ['http://hooks.example.com/', 'must be https'],
    ['http://hooks.example.com:443/', 'must be https'],
    ['http://127.0.0.1/', 'must be https'],
    ['file:///etc/passwd', 'must be https'],
    ['unix:/var/run/docker.sock', 'must be https'],
    ['unix:///var/run/docker.sock', 'must be https'],
    ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'must be https'],
    ['https://unix:/var/run/docker.sock', 'must have a host with a public name'],
    ['ftp://hooks.example.com/', 'must be https'],
    ['gopher://hooks.example.com/', 'must be https'],
    ['javascript:alert(1)', 'must be https'],
    ['data:text/plain,x', 'must be https'],
  ])('[webhooks 23] cannot be %s in production', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('[webhooks 23] can have each of the configured ports, and no other', () => {
    const rules: TargetRules = { ports: [443, 8443], loopback: false };
    expect(hrefOf('https://hooks.example.com/', rules)).not.toBeNull();
    expect(hrefOf('https://hooks.example.com:8443/', rules)).not.toBeNull();
    expect(problemOf('https://hooks.example.com:8080/', rules)).toBe('must have one of the ports 443, 8443');
    expect(problemOf('https://hooks.example.com/', { ports: [8443], loopback: false })).toBe(
      'must have port 8443',
    );
  });

  it.each([
    ['', 'must be an absolute URL'],
    ['hooks.example.com', 'must be an absolute URL'],
    ['//hooks.example.com/', 'must be an absolute URL'],
    ['https:hooks.example.com', 'must be an absolute URL'],
    ['https:/hooks.example.com', 'must be an absolute URL'],
    ['https:///hooks.example.com', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https://hooks.example.com/#part', 'must not have a fragment'],
    ['https://hooks.example.com/#', 'must not have a fragment'],
    ['https://intranet/', 'must have a host with a public name'],
    ['https://printer.local/', 'must have a host with a public name'],
    ['https://metadata.google.internal/', 'must have a host with a public name'],
    ['https://nas.home.arpa/', 'must have a host with a public name'],
    ['https://localhost/', 'must not be this machine'],
    ['https://app.localhost/', 'must not be this machine'],
  ])('cannot be %j', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('cannot be longer than 2048 characters', () => {
    const base = 'https://hooks.example.com/';
    expect(problemOf(base.padEnd(2048, 'a'))).toBeNull();
    expect(problemOf(base.padEnd(2049, 'a'))).toBe('must not be longer than 2048 characters');
  });
});

describe('the URL of an endpoint while the sandbox listens on loopback', () => {
  it.each([
    'http://127.0.0.1:3000/hooks',
    'http://localhost:3000/hooks',
    'http://app.localhost:3000/',
    'https://localhost/',
    'http://[::1]:3000/',
    'http://127.1:3000/',
    'https://hooks.example.com/',
    'http://hooks.example.com:8080/',
  ])('can be %s too', (text) => {
    expect(problemOf(text, loopback)).toBeNull();
  });

  it.each([
    ['http://10.0.0.1/', NOT_PUBLIC],
    ['http://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
    ['http://0.0.0.0:3000/', NOT_PUBLIC],
    ['http://[::]:3000/', NOT_PUBLIC],
    ['http://[::ffff:127.0.0.1]:3000/', NOT_PUBLIC],
    ['http://[fd00::1]/', NOT_PUBLIC],
    ['http://database/', 'must have a host with a public name'],
    ['http://me:secret@localhost:3000/', 'must not hold a user name or a password'],
    ['http://localhost:3000/#x', 'must not have a fragment'],
    ['file:///etc/passwd', 'must be https or http'],
  ])('still cannot be %s', (text, problem) => {
    expect(problemOf(text, loopback)).toBe(problem);
  });
});
