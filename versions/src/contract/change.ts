import type { ApiVersion } from '../version/api-version.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A request on its way from the version it was made in to the newest one. */
export interface UpgradableRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Json;
  /** Those that its contract declares, by their names in lower case. */
  readonly headers: Headers;
  /** Any JSON that its contract takes: a list, a text, a number or null as well. */
  readonly body: Json;
  /**
   * Meanings that the older version's request can express and the newer one's cannot: parts of the operation's command, such as
   * "unarchive". They are merged over the command that the newest request makes.
   */
  readonly command: Json;
}

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export interface ResponseContext {
  /** The request as it was made. */
  readonly request: UpgradableRequest;
  /** The status of the answer as the newer of the change's two versions has it, whatever later versions answer with. */
  readonly status: number;
  /** Values beyond the newest response of the operation, for versions that still answer with them. */
  readonly extras: Json;
}

export interface ErrorFacts {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
}

export interface EventFacts {
  readonly kind: string;
  readonly data: Json;
}

/** A body that is not JSON. */
export interface Content {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The group of a change in the release notes. */
export type ChangeKind = 'added' | 'changed' | 'removed';

/**
 * Something that goes over the wire, or the rule it has to keep, as far as a change is about it: fields that stay the
 * same are left out. Operations are named by method and path, as integrators know them.
 */
export type Sample =
  /** Such as `GET /v1/things/?limit=10`; scopes and ways of client authentication where the change is about them. */
  | {
      request: string;
      scopes?: readonly string[];
      clientAuthentication?: readonly string[];
      body?: Json;
    }
  | { answerTo: string; status: number; body: Json }
  | { event: string; data: Json }
  /** The rule for a field of a request's body, or of the answer: a part of its schema. */
  | { ruleOf: string; field: string; schema: Json };

/** The same thing in the older version and in the newer one; null where a version has nothing of the kind. */
export interface Example {
  before: Sample | null;
  after: Sample | null;
}

/**
 * One difference between two neighbours, with the code that bridges it. `upgradeRequest` goes from older to newer,
 * the others from newer to older. Keys are operation ids and event kinds.
 */
export type Change = ChangeParts & ChangeSummary;

/** In a sentence, for the release notes. `says` is its name of before, and accepted for good. */
type ChangeSummary = { summary: string } | { says: string };

export function summaryOf(change: ChangeSummary): string {
  return 'summary' in change ? change.summary : change.says;
}

interface ChangeParts {
  /** A verb phrase, and the name of its file: `replacePriceWithPrices`. */
  name: string;
  kind: ChangeKind;
  why: string;
  /** The steps of integrators who move to the newer version. */
  upgradeNote: string;
  /** The part of the API that it is about, where release notes tell several apart. */
  part?: string;
  /** For the release notes. */
  examples: readonly [Example, ...Example[]];
  /**
   * Where the two contracts differ because of this change, bridged by code or not: the beginning of a path such as
   * `things:create.body`; `**` stands for anything. Every difference must belong to a change.
   */
  touches: readonly string[];
  /** Answers with what becomes of the request; the parts that it leaves out stay as they are. */
  upgradeRequest?: Readonly<Record<string, (request: UpgradableRequest) => Partial<UpgradableRequest>>>;
  /** A request's body that is not JSON. */
  upgradeContent?: Readonly<Record<string, (content: Content) => Content>>;
  downgradeResponse?: Readonly<Record<string, (body: Json, context: ResponseContext) => Json>>;
  downgradeContent?: Readonly<Record<string, (content: Content, context: ResponseContext) => Content>>;
  /** The older version's status for a newer one: `{ 'things:create': { 201: 200 } }`. */
  downgradeStatus?: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** The headers that the contracts of the answers declare; others never come here. */
  downgradeHeaders?: Readonly<Record<string, (headers: Headers, context: ResponseContext) => Headers>>;
  downgradeError?: (error: ErrorFacts, operationId: string) => ErrorFacts;
  /** The JSON of an error whose status has a body of its own in the contract. */
  downgradeErrorBody?: Readonly<Record<string, (body: Json, context: ResponseContext) => Json>>;
  /** Null: the older version does not know of this event. */
  downgradeEvent?: Readonly<Record<string, (event: EventFacts) => EventFacts | null>>;
  /** An operation that the newer version lacks, and the one that does its work there. */
  redirects?: Readonly<Record<string, string>>;
  /** Operations that the newer version lacks, and whose work is still done as it was. */
  kept?: readonly string[];
  /** The names of other changes, whose code this one is and nothing else: it is in no release notes. */
  codeOf?: readonly string[];
  /** None of its functions edits in place what it gets, which then is no copy: for large bodies, copies take time. */
  editsNothing?: true;
}

/** The differences between two neighbours, in the order in which requests pass them. */
export interface ChangeSet {
  newer: ApiVersion;
  older: ApiVersion;
  changes: readonly Change[];
  /** The list that these were made of, where somebody wrote another one: it stays the same while its module does. */
  writtenAs?: readonly object[];
}
