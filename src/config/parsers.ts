import { isIP } from 'node:net';
import { urlOf } from '../kernel/url.ts';
import { isDarkEnough } from './brand.ts';

/** Turns the text of a variable into its value, or throws an Error whose message completes "X must be …". */
export type Parser<Value> = (text: string) => Value;

export const parseText: Parser<string> = (text) => {
  if (text.trim() === '') throw new Error('a string that is not empty');
  return text;
};

export const parseInteger =
  (least: number, most: number): Parser<number> =>
  (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return value;
  };

export const parseRatio: Parser<number> = (text) => {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value > 1) throw new Error('a number from 0 to 1, such as 0.01');
  return value;
};

export const parsePort: Parser<number> = parseInteger(0, 65_535);

export const parsePorts: Parser<readonly number[]> = (text) => {
  const ports = parseList(parseInteger(1, 65_535))(text);
  if (ports.length === 0) throw new Error('at least one port, such as 443');
  return ports;
};

/** A base address: http or https, nothing behind the path, no slash at its end, so that paths can be appended. */
export const parseUrl: Parser<string> = (text) => {
  const url = urlOf(text);
  const plain =
    url && ['http:', 'https:'].includes(url.protocol) && !url.search && !url.hash && !url.username;
  if (!plain) throw new Error('an http or https address, such as https://api.example.com');
  return text.replace(/\/+$/, '');
};

export const parseDatabaseUrl: Parser<string> = (text) => {
  const url = urlOf(text);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Error('a postgres address, such as postgres://user:password@host:5432/database');
  }
  return text;
};

/** Each server once, whatever else differs: a node holds one lease for each. */
export const parseDatabaseUrls: Parser<readonly string[]> = (text) => {
  const urls = parseList(parseDatabaseUrl)(text);
  const servers = new Set(urls.map((url) => serverOf(new URL(url))));
  if (servers.size < urls.length) throw new Error('each server once');
  return urls;
};

function serverOf({ hostname, port }: URL): string {
  return `${hostname}:${port || '5432'}`;
}

/** Names and values as OpenTelemetry writes them: percent-encoded, and separated by commas. */
export const parseHeaders: Parser<Readonly<Record<string, string>>> = (text) => {
  const headers = text.split(',').map(headerIn);
  if (headers.includes(null))
    throw new Error('headers such as authorization=Bearer%20abc, separated by commas');
  return Object.fromEntries(headers.filter((header) => header !== null));
};

function headerIn(text: string): [name: string, value: string] | null {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([!-~]+)\s*$/.exec(text) ?? [];
  if (name === undefined || value === undefined || /%(?![0-9a-f]{2})/i.test(value)) return null;
  return [name, decodeURIComponent(value)];
}

export const parseColour: Parser<string> = (text) => {
  if (!/^#[0-9a-f]{6}$/i.test(text) || !isDarkEnough(text))
    throw new Error('a colour such as #14213d, dark enough for white text on it');
  return text;
};

export const parseOperatorKey: Parser<string> = (text) => {
  if (!/^[A-Za-z0-9_-]{32,200}$/.test(text))
    throw new Error('32 to 200 characters of A-Z, a-z, 0-9, _ and -');
  return text;
};

export const parseSecretKey: Parser<Buffer> = (text) => {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32 || key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new Error('32 bytes in base64, as printed by: openssl rand -base64 32');
  }
  return key;
};

/** The key in use first; while it is being changed, older ones after it. */
export const parseSecretKeys: Parser<readonly Buffer[]> = (text) => {
  const keys = parseList(parseSecretKey)(text);
  if (keys.length === 0) throw new Error('at least one key of 32 bytes in base64');
  return keys;
};

export const parseProxy: Parser<string> = (text) => {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  const bitsMax = family === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  if (family === 0 || !bitsFit || more.length > 0)
    throw new Error('addresses or CIDR blocks, such as 10.0.0.0/8,192.168.1.7');
  return text;
};

export const parseList =
  <Item>(parseItem: Parser<Item>): Parser<readonly Item[]> =>
  (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => parseItem(item));

export const parseOneOf =
  <Value extends string>(allowed: readonly Value[]): Parser<Value> =>
  (text) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`one of ${allowed.join(', ')}`);
    return value;
  };
