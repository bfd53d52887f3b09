import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
  type Change,
  type CompiledOperation,
  type CompiledVersion,
  compileApi,
  type Exchange,
  type Json,
  type OpenApiDocument,
  type Operation,
  parametersIn,
  partAt,
  sampleIn,
  type Tape,
  type TapeDifference,
  tapeDifferences,
  type UpgradableRequest,
} from '@dateline/versions';
import { errorMessage } from '../../../kernel/error-facts.ts';
import { present } from '../../../kernel/presence.ts';
import { isPart, partIn, textIn } from '../../document/parts.ts';
import { CHANGES_FOLDER } from '../folder-files.ts';
import { type FolderProblem, refuse } from '../folder-problem.ts';

/**
 * Records the translations of one version of a folder's API, without an upstream: an answer of every operation and the
 * data of every event, in that version and as older versions get them, and requests of older versions as that version
 * gets them.
 */
export function recordFolderTape(source: ApiSource, version: ApiVersion): Tape {
  return { version, exchanges: translationsOf(source, version).flatMap(recorded) };
}

/**
 * Where a tape no longer replays: the changes between versions that are frozen were edited. What was given is taken from the tape, so
 * that nothing depends on how samples are made today.
 */
export function folderTapeProblems(tape: Tape, source: ApiSource, file: string): FolderProblem[] {
  const known = new Map(tape.exchanges.map((exchange) => [exchange.name, exchange]));
  return translationsOf(source, apiVersion(tape.version)).flatMap((translation) => {
    const before = known.get(translation.name);
    const after = before ? [replayed(before, translation)] : recorded(translation);
    return tapeDifferences(tapeOf(tape, before ? [before] : []), tapeOf(tape, after)).map((difference) =>
      editedProblem(difference, file),
    );
  });
}

const tapeOf = ({ version }: Tape, exchanges: readonly Exchange[]): Tape => ({ version, exchanges });

function editedProblem({ exchange, path, kind }: TapeDifference, file: string): FolderProblem {
  return {
    file,
    path: path === '' ? `"${exchange}"` : `"${exchange}" ${path}`,
    reason: `it was ${kind} by an edit of ${CHANGES_FOLDER}; what frozen versions answer never changes`,
  };
}

/** One way of a body from one version to another. */
interface Translation {
  name: string;
  operation: Operation | null;
  /** False where it would pass as it is, which needs no exchange. */
  isBridged: boolean;
  sample(): unknown;
  translate(given: unknown): unknown;
}

/** Versions that were removed are no longer translated to. */
function translationsOf(source: ApiSource, version: ApiVersion): Translation[] {
  const known = until(source, version);
  const api = compileApi(known);
  const head = present(api.get(version), version);
  return [...api.values()].flatMap((older) => {
    const operations = [...older.operations.values()];
    const changes = known.changeSets
      .filter((set) => set.older >= older.version)
      .flatMap((set) => set.changes);
    return [
      ...operations.map((operation) => requestTranslation(operation, older)),
      ...operations.flatMap((operation) => answerTranslations(operation, older, head)),
      ...head.contract.events.map(({ kind }) => eventTranslation(kind, { older, head, changes })),
    ];
  });
}

/** The API as it was when the version was its newest. */
function until({ documents, changeSets, ...rest }: ApiSource, version: ApiVersion): ApiSource {
  const versionIn = (document: OpenApiDocument): string => textIn(partIn(document, 'info'), 'version');
  return {
    ...rest,
    documents: documents.filter((document) => versionIn(document) <= version),
    changeSets: changeSets.filter(({ newer }) => newer <= version),
  };
}

function requestTranslation(
  { operation, upgradeRequest }: CompiledOperation,
  { version, document }: CompiledVersion,
): Translation {
  const location = [...pathOf(operation), 'requestBody', 'content', operation.body?.mediaType ?? ''];
  const params = parametersIn(operation.path).map((name) => [name, 'id'] as const);
  return {
    name: `a request to ${operation.id} of ${version}`,
    operation,
    isBridged: upgradeRequest !== null,
    sample: () => ({
      params: Object.fromEntries(params),
      query: {},
      headers: {},
      body: jsonIn(sampleIn(document, partAt(document, ...location)?.schema)),
      command: {},
    }),
    translate: (given) => upgradeRequest?.(given as UpgradableRequest) ?? given,
  };
}

function answerTranslations(
  { operation, headOperationId, downgradeResponse }: CompiledOperation,
  { version }: CompiledVersion,
  head: CompiledVersion,
): Translation[] {
  const newest = head.operations.get(headOperationId)?.operation;
  if (!newest) return [];
  return Object.entries(newest.responses).map(([status, body]) => {
    const location = [...pathOf(newest), 'responses', status, 'content', body?.mediaType ?? ''];
    const context = { request: { params: {}, query: {}, headers: {}, body: {}, command: {} }, extras: {} };
    return {
      name: `an answer ${status} of ${operation.id} in ${version}`,
      operation,
      isBridged: downgradeResponse !== null || version === head.version,
      sample: () => body && sampleIn(head.document, partAt(head.document, ...location)?.schema),
      translate: (given) =>
        downgradeResponse?.(jsonIn(given), { ...context, status: Number(status) }) ?? given,
    };
  });
}

interface EventPassage {
  older: CompiledVersion;
  head: CompiledVersion;
  /** Those between the two. */
  changes: readonly Change[];
}

function eventTranslation(kind: string, { older, head, changes }: EventPassage): Translation {
  const location = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json'];
  return {
    name: `the event ${kind} in ${older.version}`,
    operation: null,
    isBridged: older === head || changes.some(({ downgradeEvent = {} }) => kind in downgradeEvent),
    sample: () => sampleIn(head.document, partAt(head.document, ...location)?.schema),
    translate: (given) => older.downgradeEvent({ kind, data: jsonIn(given) }),
  };
}

const jsonIn = (sample: unknown): Json => (isPart(sample) ? sample : {});

const pathOf = ({ path, method }: Operation): string[] => ['paths', path, method.toLowerCase()];

function recorded(translation: Translation): Exchange[] {
  const { name, operation, isBridged, sample } = translation;
  const given = isBridged ? sample() : undefined;
  if (!given) return [];
  const { id = null, method = 'POST', path = '' } = operation ?? {};
  const answer = { status: 200, headers: {}, body: translated(translation, given) };
  return [{ name, operation: id, as: 'upstream', method, path, body: { json: given }, answer }];
}

function replayed(before: Exchange, translation: Translation): Exchange {
  const given = before.body && 'json' in before.body ? before.body.json : undefined;
  return { ...before, answer: { ...before.answer, body: translated(translation, given) } };
}

/** As it is sent: what is undefined is not. */
function translated({ name, translate }: Translation, given: unknown): unknown {
  try {
    const made = translate(given);
    return made === given ? given : JSON.parse(JSON.stringify(made));
  } catch (error) {
    throw refuse(CHANGES_FOLDER, `a change could not translate ${name} (${errorMessage(error)})`);
  }
}
