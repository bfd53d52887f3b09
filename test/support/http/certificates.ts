import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** As PEM. */
  cert: string;
  key: string;
}

export interface CertificateOptions {
  /** The subject's name: of the server, or of the authority itself. */
  name: string;
  notBefore?: Date;
  notAfter?: Date;
}

export interface Authority extends Certificate {
  issue(options: CertificateOptions): Certificate;
}

/** A certificate authority of the test's own; only clients that are given it trust it. Nothing is written to a file. */
export function createAuthority(name = 'authority of a test'): Authority {
  const keys = newKeys();
  const issuer = { name, key: keys.privateKey };
  return {
    ...certify({ name }, keys, issuer, basicConstraints()),
    issue: (options) => certify(options, newKeys(), issuer, alternativeName(options.name)),
  };
}

export function selfSigned(options: CertificateOptions): Certificate {
  const keys = newKeys();
  return certify(options, keys, { name: options.name, key: keys.privateKey }, alternativeName(options.name));
}

interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface Issuer {
  name: string;
  key: KeyObject;
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' });
// TLS reads the clock of the machine, also in a run at a shifted time (see tools/shifted-clock.mjs).
const LONG_AGO = new Date('2000-01-01T00:00:00Z');
const FAR_AHEAD = new Date('2049-01-01T00:00:00Z');

/** RFC 5280 §4.1, as little of it as TLS needs. */
function certify(options: CertificateOptions, keys: Keys, issuer: Issuer, extension: Buffer): Certificate {
  const { name, notBefore = LONG_AGO, notAfter = FAR_AHEAD } = options;
  const toSign = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', toSign, issuer.key);
  const bytes = sequence(toSign, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  return {
    cert: pem('CERTIFICATE', bytes),
    key: pem('PRIVATE KEY', keys.privateKey.export({ type: 'pkcs8', format: 'der' })),
  };
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => der(0x04, content);
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));

const distinguishedName = (name: string): Buffer =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));

const time = (at: Date): Buffer =>
  der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`));

const basicConstraints = (): Buffer =>
  sequence(
    objectId('551d13'),
    der(0x01, Buffer.from([0xff])),
    octets(sequence(der(0x01, Buffer.from([0xff])))),
  );

/** An IPv4 address or a DNS name. */
function alternativeName(name: string): Buffer {
  const isAddress = /^[\d.]+$/.test(name);
  const value = isAddress
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
  return sequence(objectId('551d11'), octets(sequence(value)));
}
