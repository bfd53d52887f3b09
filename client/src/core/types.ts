/** Where the service is, who calls, and how patiently. */
export interface DatelineOptions {
  /** Where the service is. Set this or `environment`. */
  baseUrl?: string | undefined;
  environment?: 'production' | 'sandbox' | undefined;
  /** The token to call with, or what gives one at each call. Without it, tokens are got by the client credentials. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** With `clientSecret`: the client that introspects and revokes, and that gets tokens where no access token is given. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** The scopes of tokens that are got by the client credentials; by default all that the client may have. */
  scope?: string | undefined;
  /** The time that one try may take, its answer included. */
  timeoutMs?: number | undefined;
  /** The number of further tries of a call that may be repeated, after 429, 503 or a broken connection. */
  retries?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** Sent with every call. `Service-Version` is refused: the import sets it. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Called once per client if its version is deprecated; without it, `console.warn` reports it once per process. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Instead of the client's own token. */
  accessToken?: string | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Of calls that create something: repeating one with the same key creates nothing more. One is made if none is given. */
  idempotencyKey?: string | undefined;
}

/** Of calls that need a token that the client cannot get by itself. */
export interface WithAccessToken extends CallOptions {
  accessToken: string;
}

export interface DeprecationNotice {
  apiVersion: string;
  message: string;
  deprecatedAt: Date | null;
  /** When the version is removed. */
  sunsetAt: Date | null;
}

export interface Page<Item, Pagination> {
  items: Item[];
  pagination: Pagination;
}

/** Awaited, it is its first page; iterated over, it is all items of all pages, got as they are needed. */
export interface Paged<Item, Pagination> extends Promise<Page<Item, Pagination>>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item, Pagination>>;
}

export type DatelineInstance<Api, Version extends string> = Api & { readonly apiVersion: Version };

export interface DatelineClass<Api, Version extends string> {
  new (options: DatelineOptions): DatelineInstance<Api, Version>;
  readonly apiVersion: Version;
}
