import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
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
  tapeDifferences,
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
  const api = compileApi(until(source, version));
  const head = present(api.get(version), version);
  const exchanges = [...api.values()].flatMap((older) => [
    ...[...older.operations.values()].flatMap((operation) => requestExchanges(operation, older)),
    ...[...older.operations.values()].flatMap((operation) => answerExchanges(operation, older, head)),
    ...head.contract.events.flatMap(({ kind }) => eventExchanges(kind, older, head)),
  ]);
  return { version, exchanges };
}

/** Where a tape no longer replays: the changes between versions that are frozen were edited. */
export function folderTapeProblems(tape: Tape, source: ApiSource, file: string): FolderProblem[] {
  const again = recordFolderTape(source, apiVersion(tape.version));
  const names = new Set(again.exchanges.map(({ name }) => name));
  // Versions that were removed since are no longer translated to.
  const kept = { ...tape, exchanges: tape.exchanges.filter(({ name }) => names.has(name)) };
  return tapeDifferences(kept, again).map(({ exchange, path, kind }) => ({
    file,
    path: path === '' ? `"${exchange}"` : `"${exchange}" ${path}`,
    reason: `it was ${kind} by an edit of ${CHANGES_FOLDER}; what frozen versions answer never changes`,
  }));
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

function requestExchanges(
  { operation, upgradeRequest }: CompiledOperation,
  { version, document }: CompiledVersion,
): Exchange[] {
  if (!upgradeRequest) return [];
  const content = partAt(
    document,
    ...pathOf(operation),
    'requestBody',
    'content',
    operation.body?.mediaType ?? '',
  );
  const params = parametersIn(operation.path).map((name) => [name, 'id'] as const);
  const request = {
    params: Object.fromEntries(params),
    query: {},
    headers: {},
    body: jsonIn(sampleIn(document, content?.schema)),
    command: {},
  };
  const name = `a request to ${operation.id} of ${version}`;
  return [exchange(name, operation, { given: request, translate: () => upgradeRequest(request) })];
}

function answerExchanges(
  { operation, headOperationId, downgradeResponse }: CompiledOperation,
  { version }: CompiledVersion,
  head: CompiledVersion,
): Exchange[] {
  const newest = head.operations.get(headOperationId)?.operation;
  if (!newest || (!downgradeResponse && version !== head.version)) return [];
  return Object.entries(newest.responses).flatMap(([status, body]) => {
    const location = [...pathOf(newest), 'responses', status, 'content', body?.mediaType ?? ''];
    const given = body && sampleIn(head.document, partAt(head.document, ...location)?.schema);
    if (!given) return [];
    const request = { params: {}, query: {}, headers: {}, body: {}, command: {} };
    const translate = (): unknown =>
      downgradeResponse?.(jsonIn(given), { request, status: Number(status), extras: {} }) ?? given;
    return [
      exchange(`an answer ${status} of ${operation.id} in ${version}`, operation, { given, translate }),
    ];
  });
}

function eventExchanges(kind: string, older: CompiledVersion, head: CompiledVersion): Exchange[] {
  const location = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json'];
  const data = sampleIn(head.document, partAt(head.document, ...location)?.schema);
  if (!data) return [];
  const translate = (): unknown => older.downgradeEvent({ kind, data: jsonIn(data) });
  return [exchange(`the event ${kind} in ${older.version}`, null, { given: data, translate })];
}

const jsonIn = (sample: unknown): Json => (isPart(sample) ? sample : {});

const pathOf = ({ path, method }: Operation): string[] => ['paths', path, method.toLowerCase()];

function exchange(
  name: string,
  operation: Operation | null,
  { given, translate }: { given: unknown; translate(): unknown },
): Exchange {
  const { id = null, method = 'POST', path = '' } = operation ?? {};
  const answer = { status: 200, headers: {}, body: translated(name, translate) };
  return { name, operation: id, as: 'upstream', method, path, body: { json: given }, answer };
}

function translated(name: string, translate: () => unknown): unknown {
  try {
    return translate();
  } catch (error) {
    throw refuse(CHANGES_FOLDER, `a change could not translate ${name} (${errorMessage(error)})`);
  }
}
