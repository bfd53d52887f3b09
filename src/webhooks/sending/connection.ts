import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { ConnectError, type Connection, openConnection, portOf } from '../../outbound/connection.ts';
import type { Cut } from '../../outbound/cut.ts';
import { errorClassOf, SendingError } from './outcome.ts';
import { isAllowedAddress, type TargetRules } from './target-rules.ts';

/** Opens a socket to one of the addresses, the first that answers. */
export type Dial = (addresses: readonly string[], port: number) => Socket;

export interface ConnectOptions {
  url: URL;
  /** Checked already; no name is resolved after this. */
  addresses: readonly string[];
  rules: TargetRules;
  dial: Dial;
  /** Certificates to trust instead of the usual ones. */
  ca: string | undefined;
  cut: Cut;
}

const ADDRESSES_MAX = 8;

export async function connectToReceiver(options: ConnectOptions): Promise<Connection> {
  const { url, addresses, rules, dial, ca, cut } = options;
  const tcp = dial(addresses.slice(0, ADDRESSES_MAX), portOf(url));
  const check = (address: string): void => {
    if (address === '') throw new SendingError('connection_reset');
    // The address that bytes would really go to is checked before any is sent.
    if (!isAllowedAddress(address, rules)) throw new SendingError('address_not_allowed');
  };
  try {
    return await openConnection({ url, tcp, tls: { ca, rejectUnauthorized: true }, cut, check });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const { stage, cause } = error;
    throw new SendingError(errorClassOf(cause, stage === 'tcp' ? 'unreachable' : 'tls'), cause);
  }
}

export const dialTcp: Dial = (addresses, port) =>
  connectTcp({
    host: 'receiver',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: (_name, _options, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  });
