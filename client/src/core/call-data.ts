/** One call of a version, as its generated file writes it down. */
export interface CallData {
  method: string;
  path: string;
  parameterCount: number;
  /** How what the caller says is sent. */
  send: 'query' | 'form' | 'json' | null;
  /** How it authenticates: by client id and secret (perhaps), by a token, by another secret, or not at all. */
  auth: 'client' | 'maybe-client' | 'bearer' | 'secret' | 'none';
  /** Whether it may be repeated: because it changes nothing, or because it has a key. */
  repeat: 'safe' | 'with-key' | null;
  isPaged: boolean;
}

/** Reads `GET /v1/things/{id} query bearer safe paged`; a dash stands for what there is not. */
export function readCallData(line: string): CallData {
  const [method = '', path = '', send, auth, repeat, isPaged] = line.split(' ');
  return {
    method,
    path,
    parameterCount: path.split('{').length - 1,
    send: send === '-' ? null : (send as CallData['send']),
    auth: auth as CallData['auth'],
    repeat: repeat === '-' ? null : (repeat as CallData['repeat']),
    isPaged: isPaged === 'paged',
  };
}
