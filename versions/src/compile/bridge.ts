import type {
  Change,
  Content,
  Headers,
  Json,
  ResponseContext,
  UpgradableRequest,
} from '../contract/change.ts';
import { copyOf, onOwnCopy, unlessEdited } from './own-copy.ts';

/**
 * The way from an operation of a version to the newest one and back. Each part is null where there is nothing to do: it costs nothing.
 * A request and an error that go through are never edited themselves, and each part that stays as it was is the very same.
 */
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

/** A change that a part of a call passes: a request on its way up, or an answer on its way down. */
export interface ChangePassage {
  change: Change;
  direction: 'up' | 'down';
  part: 'request' | 'content' | 'body' | 'status' | 'headers' | 'error';
}

/** Stands around every translation, for whoever wants to see what a change does. Without one, nothing is between. */
export type PassageWatch = <Value>(
  passage: ChangePassage,
  value: Value,
  translate: (value: Value) => Value,
) => Value;

type Upgrade<Value> = (value: Value) => Value;
type Downgrade<Value> = (value: Value, context: ResponseContext) => Value;

/** A change, the id that the operation has below it, and the number of its step. */
interface Passage {
  change: Change;
  id: string;
  step: number;
}

/** The changes of each step that is passed, oldest first. */
type StepChanges = readonly (readonly Change[])[];

/** Follows an operation up to the newest version. A change may redirect it: from there on it has another id. */
export function bridgeOf(operationId: string, steps: StepChanges, watch?: PassageWatch): Bridge {
  const { passages, headOperationId, isKept } = passagesOf(operationId, steps);
  // The way back is the way there, backwards.
  const back = passages.toReversed();
  const inItsStep = knowingStatus(back);
  const errorInItsStep = (downgrade: Downgrade<Json>, passage: Passage) =>
    inItsStep(asErrorBody(downgrade, passage), passage);
  const up = passing('up', passages, watch);
  const down = passing('down', back, watch);
  return {
    headOperationId,
    isKept,
    upgradeRequest: upgradeThrough(up('request', ({ upgradeRequest }, id) => upgradeRequest?.[id], asWhole)),
    upgradeContent: upgradeThrough(up('content', ({ upgradeContent }, id) => upgradeContent?.[id], asItIs)),
    downgradeResponse: downgradeThrough(
      down('body', ({ downgradeResponse }, id) => downgradeResponse?.[id], inItsStep),
    ),
    downgradeContent: downgradeThrough(
      down('content', ({ downgradeContent }, id) => downgradeContent?.[id], inItsStep),
    ),
    downgradeStatus: upgradeThrough(
      down('status', ({ downgradeStatus }, id) => downgradeStatus?.[id], asStatusMap),
    ),
    downgradeHeaders: downgradeThrough(
      down('headers', ({ downgradeHeaders }, id) => downgradeHeaders?.[id], inItsStep),
    ),
    downgradeErrorBody: downgradeThrough(
      down('error', ({ downgradeErrorBody }, id) => downgradeErrorBody?.[id], errorInItsStep),
    ),
  };
}

/** Collects one kind of translation of the changes that are passed, each with its watch where there is one. */
function passing(
  direction: ChangePassage['direction'],
  passages: readonly Passage[],
  watch: PassageWatch | undefined,
) {
  return <Part, Value, More extends unknown[]>(
    part: ChangePassage['part'],
    partOf: (change: Change, id: string) => Part | undefined,
    toTranslation: (part: Part, passage: Passage) => (value: Value, ...more: More) => Value,
  ): ((value: Value, ...more: More) => Value)[] =>
    passages.flatMap((passage) => {
      const { change, id } = passage;
      const found = partOf(change, id);
      if (found === undefined) return [];
      const translate = toTranslation(found, passage);
      if (!watch) return [translate];
      return [
        (value: Value, ...more: More) =>
          watch({ change, direction, part }, value, (given) => translate(given, ...more)),
      ];
    });
}

function asItIs<Translation>(translation: Translation): Translation {
  return translation;
}

/** A change knows its own two versions: it is told the status that the newer one of them has, whatever later versions answer with. */
function knowingStatus(back: readonly Passage[]) {
  return <Value>(translate: Downgrade<Value>, { step }: Passage): Downgrade<Value> => {
    const later = back
      .filter((passed) => passed.step > step)
      .map(({ change, id }) => change.downgradeStatus?.[id])
      .filter((statuses) => statuses !== undefined);
    const downgradeStatus = upgradeThrough(later.map(asStatusMap));
    if (!downgradeStatus) return translate;
    return (value, { request, status, extras }) =>
      translate(value, { request, status: downgradeStatus(status), extras });
  };
}

function passagesOf(operationId: string, steps: StepChanges) {
  const passages: Passage[] = [];
  let id = operationId;
  for (const [step, changes] of steps.entries())
    for (const change of changes) {
      if (change.kept?.includes(id)) return { passages, headOperationId: id, isKept: true };
      passages.push({ change, id, step });
      id = change.redirects?.[id] ?? id;
    }
  return { passages, headOperationId: id, isKept: false };
}

/** True where nothing is edited in place, and so no copy is needed: code that is made of changes by field does not, either. */
export function editsNothing(change: Change): boolean {
  return change.editsNothing === true || change.codeOf !== undefined;
}

function asErrorBody(downgrade: Downgrade<Json>, { change }: Passage): Downgrade<Json> {
  return editsNothing(change) ? downgrade : onOwnCopy(downgrade);
}

type PartialUpgrade = (request: UpgradableRequest) => Partial<UpgradableRequest>;

function asWhole(upgrade: PartialUpgrade, { change }: Passage): Upgrade<UpgradableRequest> {
  return editsNothing(change) ? (request) => whole(upgrade(request), request) : onOwnRequest(upgrade);
}

/** What a function edits in place counts, whether it returns that or not. One before it may have put an object into it that it keeps. */
function onOwnRequest(upgrade: PartialUpgrade): Upgrade<UpgradableRequest> {
  return (request) => {
    const copy = copyOf(request);
    const made = whole(upgrade(copy), copy);
    return {
      params: unlessEdited(made.params, copy.params, request.params),
      query: unlessEdited(made.query, copy.query, request.query),
      headers: unlessEdited(made.headers, copy.headers, request.headers),
      body: unlessEdited(made.body, copy.body, request.body),
      command: unlessEdited(made.command, copy.command, request.command),
    };
  };
}

/** Member by member: a literal that begins with a spread is built by V8's slow path, at every request. */
function whole(upgraded: Partial<UpgradableRequest>, request: UpgradableRequest): UpgradableRequest {
  return {
    params: upgraded.params ?? request.params,
    query: upgraded.query ?? request.query,
    headers: upgraded.headers ?? request.headers,
    body: upgraded.body === undefined ? request.body : upgraded.body,
    command: upgraded.command ?? request.command,
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

function asStatusMap(map: Readonly<Record<number, number>>): Upgrade<number> {
  return (status) => map[status] ?? status;
}
