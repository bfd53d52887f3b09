import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';

/** An address as the driver takes it. */
export interface DriverAddress {
  connectionString: string;
  ssl?: false | ConnectionOptions;
}

/** The address of a database asks for TLS in a way that cannot be done. */
export class TlsSettingError extends Error {
  override readonly name = 'TlsSettingError';
}

/**
 * The modes of libpq, without `allow` and `prefer`, which send everything in clear where TLS fails. `no-verify` is the
 * driver's own.
 */
const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof modes)[number];

/** The parameters of an address that are about TLS. */
export interface TlsParameters {
  sslmode: TlsMode;
  /** Paths of PEM files. */
  sslcert: string | null;
  sslkey: string | null;
  sslrootcert: string | null;
  /** Of the key. */
  sslpassword: string | null;
}

const names = ['sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslpassword'] as const;
/** As `sslrootcert`: the authorities that Node trusts. */
const SYSTEM = 'system';

/**
 * Gives `sslmode` the meaning that it has in libpq (https://www.postgresql.org/docs/current/libpq-ssl.html): the driver
 * takes every mode but `disable` for `verify-full`. An address without a parameter of TLS stays as it is.
 */
export function driverAddress(url: string): DriverAddress {
  const parameters = tlsParameters(url);
  if (parameters === null) return { connectionString: url };
  const rest = new URL(url);
  for (const name of names) rest.searchParams.delete(name);
  return { connectionString: rest.toString(), ssl: parameters.sslmode !== 'disable' && tlsOf(parameters) };
}

/** Returns null for an address that has none. */
export function tlsParameters(url: string): TlsParameters | null {
  const { searchParams } = new URL(url);
  if (!names.some((name) => searchParams.has(name))) return null;
  const given = (name: (typeof names)[number]): string | null => searchParams.get(name) || null;
  const parameters = {
    sslmode: modeIn(given('sslmode')),
    sslcert: given('sslcert'),
    sslkey: given('sslkey'),
    sslrootcert: given('sslrootcert'),
    sslpassword: given('sslpassword'),
  };
  refuseContradictions(parameters);
  return parameters;
}

/** Where files are named and no mode, the strictest is meant. */
function modeIn(text: string | null): TlsMode {
  const mode = modes.find((one) => one === (text ?? 'verify-full'));
  if (mode !== undefined) return mode;
  throw new TlsSettingError(
    `sslmode must be disable, require, verify-ca or verify-full; "${text}" is not. With allow and prefer, secrets would be sent in clear where TLS fails`,
  );
}

function refuseContradictions({ sslmode, sslcert, sslkey, sslrootcert }: TlsParameters): void {
  if ((sslcert === null) !== (sslkey === null))
    throw new TlsSettingError('sslcert and sslkey belong together: name the certificate and its key');
  if (sslmode === 'verify-ca' && sslrootcert === null)
    throw new TlsSettingError(
      'sslmode=verify-ca needs sslrootcert, the file of the authority that signed the certificate of the server',
    );
  if (sslrootcert === SYSTEM && sslmode !== 'verify-full' && sslmode !== 'disable')
    throw new TlsSettingError(
      `sslrootcert=system needs sslmode=verify-full: with ${sslmode}, whoever has any public certificate could pass for the server`,
    );
}

/** As in libpq, `require` verifies the authority if there is one to verify it by. */
function tlsOf(parameters: TlsParameters): ConnectionOptions {
  const { sslmode, sslrootcert } = parameters;
  const verifiesCa = sslmode === 'verify-ca' || (sslmode === 'require' && sslrootcert !== null);
  let context = contextOf(parameters);
  return {
    rejectUnauthorized: verifiesCa || sslmode === 'verify-full',
    ...(verifiesCa ? { checkServerIdentity: acceptAnyName } : {}),
    /** Read for each connection, as libpq does: certificates of a few days are replaced while a node runs. */
    get secureContext() {
      context = contextOf(parameters, context);
      return context;
    },
  };
}

function acceptAnyName(): undefined {}

/** The last context serves on while its files are being replaced, or are gone. */
function contextOf(parameters: TlsParameters, last?: SecureContext): SecureContext {
  try {
    const { sslcert, sslkey, sslrootcert, sslpassword } = parameters;
    return createSecureContext({
      ...(sslrootcert !== null && sslrootcert !== SYSTEM && { ca: read('sslrootcert', sslrootcert) }),
      ...(sslcert !== null && { cert: read('sslcert', sslcert) }),
      ...(sslkey !== null && { key: read('sslkey', sslkey) }),
      ...(sslpassword !== null && { passphrase: sslpassword }),
    });
  } catch (error) {
    if (last !== undefined) return last;
    if (error instanceof TlsSettingError) throw error;
    throw new TlsSettingError(
      `its files of TLS cannot be used together (${errorCode(error) ?? errorMessage(error)}); look at sslcert, sslkey, sslpassword and sslrootcert`,
    );
  }
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TlsSettingError(
      `${name} ${path} cannot be read (${errorCode(error)}); correct the path, or give this user access to it`,
    );
  }
}
