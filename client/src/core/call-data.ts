const SENDS = ['query', 'form', 'json'] as const;
const AUTHS = ['client', 'maybe-client', 'bearer', 'secret', 'none'] as const;
const REPEATS = ['safe', 'with-key'] as const;

/** One call of a version, as its generated file writes it down. */
export interface CallData {
  method: string;
  path: string;
  parameterCount: number;
  /** The form in which the caller's input is sent. */
  send: (typeof SENDS)[number] | null;
  /** Its authentication: by client id and secret (perhaps), by a token, by another secret, or none. */
  auth: (typeof AUTHS)[number];
  /** Set where it may be repeated: because it changes nothing, or because it has a key. */
  repeat: (typeof REPEATS)[number] | null;
  isPaged: boolean;
}

/** Reads `GET /v1/things/{id} query bearer safe paged`; a dash stands for what there is not. */
export function readCallData(line: string): CallData {
  const [method = '', path = '', send, auth, repeat, isPaged] = line.split(' ');
  return {
    method,
    path,
    parameterCount: path.split('{').length - 1,
    send: SENDS.find((known) => known === send) ?? null,
    auth: AUTHS.find((known) => known === auth) ?? 'none',
    repeat: REPEATS.find((known) => known === repeat) ?? null,
    isPaged: isPaged === 'paged',
  };
}
