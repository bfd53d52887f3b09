import type {
  Change,
  Content,
  Headers,
  Json,
  ResponseContext,
  UpgradableRequest,
} from '../contract/change.ts';

/** The way from an operation of a version to the newest one and back. Each part is null where there is nothing to do: it costs nothing. */
export interface Bridge {
  /** The operation that does the work: one of the newest version, or one that is kept. */
  readonly headOperationId: string;
  /** True where the newest version lacks the operation, and its work is still done as it was. */
  readonly isKept: boolean;
  readonly upgradeRequest: ((request: UpgradableRequest) => UpgradableRequest) | null;
  readonly upgradeContent: ((content: Content) => Content) | null;
  readonly downgradeResponse: Downgrade<Json> | null;
  readonly downgradeContent: Downgrade<Content> | null;
  readonly downgradeStatus: ((status: number) => number) | null;
  readonly downgradeHeaders: Downgrade<Headers> | null;
  readonly downgradeErrorBody: Downgrade<Json> | null;
}

type Upgrade<Value> = (value: Value) => Value;
type Downgrade<Value> = (value: Value, context: ResponseContext) => Value;

/** A change, and the id that the operation has below it. */
interface Passage {
  change: Change;
  id: string;
}

/** Follows an operation up to the newest version. A change may redirect it: from there on it has another id. */
export function bridgeOf(operationId: string, changes: readonly Change[]): Bridge {
  const { passages, headOperationId, isKept } = passagesOf(operationId, changes);
  // The way back is the way there, backwards.
  const back = passages.toReversed();
  return {
    headOperationId,
    isKept,
    upgradeRequest: upgradeThrough(found(passages, ({ upgradeRequest }) => upgradeRequest).map(asWhole)),
    upgradeContent: upgradeThrough(found(passages, ({ upgradeContent }) => upgradeContent)),
    downgradeResponse: downgradeThrough(found(back, ({ downgradeResponse }) => downgradeResponse)),
    downgradeContent: downgradeThrough(found(back, ({ downgradeContent }) => downgradeContent)),
    downgradeStatus: statusThrough(found(back, ({ downgradeStatus }) => downgradeStatus)),
    downgradeHeaders: downgradeThrough(found(back, ({ downgradeHeaders }) => downgradeHeaders)),
    downgradeErrorBody: downgradeThrough(found(back, ({ downgradeErrorBody }) => downgradeErrorBody)),
  };
}

function passagesOf(operationId: string, changes: readonly Change[]) {
  const passages: Passage[] = [];
  let id = operationId;
  for (const change of changes) {
    if (change.kept?.includes(id)) return { passages, headOperationId: id, isKept: true };
    passages.push({ change, id });
    id = change.redirects?.[id] ?? id;
  }
  return { passages, headOperationId: id, isKept: false };
}

function found<Part>(
  passages: readonly Passage[],
  partsOf: (change: Change) => Readonly<Record<string, Part>> | undefined,
): Part[] {
  return passages.flatMap(({ change, id }) => partsOf(change)?.[id] ?? []);
}

function asWhole(
  upgrade: (request: UpgradableRequest) => Partial<UpgradableRequest>,
): Upgrade<UpgradableRequest> {
  // Member by member: a literal that begins with a spread is built by V8's slow path, at every request.
  return (request) => {
    const upgraded = upgrade(request);
    return {
      params: upgraded.params ?? request.params,
      query: upgraded.query ?? request.query,
      headers: upgraded.headers ?? request.headers,
      body: upgraded.body === undefined ? request.body : upgraded.body,
      command: upgraded.command ?? request.command,
    };
  };
}

function upgradeThrough<Value>(upgrades: readonly Upgrade<Value>[]): Upgrade<Value> | null {
  if (upgrades.length === 0) return null;
  return (value) => upgrades.reduce((upgraded, upgrade) => upgrade(upgraded), value);
}

function downgradeThrough<Value>(downgrades: readonly Downgrade<Value>[]): Downgrade<Value> | null {
  if (downgrades.length === 0) return null;
  return (value, context) =>
    downgrades.reduce((downgraded, downgrade) => downgrade(downgraded, context), value);
}

function statusThrough(maps: readonly Readonly<Record<number, number>>[]): Upgrade<number> | null {
  if (maps.length === 0) return null;
  return (status) => maps.reduce((downgraded, map) => map[downgraded] ?? downgraded, status);
}
