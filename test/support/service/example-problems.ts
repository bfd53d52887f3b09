import { isDeepStrictEqual } from 'node:util';
import type {
  Change,
  CompiledVersion,
  Example,
  Json,
  JsonSchema,
  Operation,
  Sample,
  UpgradableRequest,
} from '@dateline/versions';
import { Compile } from 'typebox/schema';
import { errorResponse, isErrorShape } from '../../../src/errors/error-body.ts';
import { createQueryReader } from '../../../src/http/api/read-request.ts';

export interface Step {
  older: CompiledVersion;
  newer: CompiledVersion;
}

/**
 * Problems of the examples of a change. Each side must be valid in its own version, one of them must be invalid in the
 * other version, and where the change has code, the code must turn one side into the other.
 */
export function exampleProblems(change: Change, { older, newer }: Step): string[] {
  const bridges = change.examples.map((example) => bridgeOf(change, example, older));
  const hasCode = change.downgradeResponse ?? change.downgradeEvent ?? change.downgradeError;
  return [
    ...change.examples.flatMap((example) => sideProblems(example, { older, newer })),
    ...bridges.flatMap((bridge) => (bridge ? bridgeProblems(bridge) : [])),
    ...(hasCode && bridges.every((bridge) => bridge === null) ? ['no example goes through the code'] : []),
  ];
}

function sideProblems({ before, after }: Example, { older, newer }: Step): string[] {
  const inOther = [...(before ? misfits(before, newer) : []), ...(after ? misfits(after, older) : [])];
  return [
    ...(before ? misfits(before, older) : []),
    ...(after ? misfits(after, newer) : []),
    ...(inOther.length === 0 ? ['both sides are possible in both versions'] : []),
  ];
}

function bridgeProblems({ made, expected }: Bridge): string[] {
  if (isDeepStrictEqual(made, expected)) return [];
  return [`the code makes ${JSON.stringify(made)}, not ${JSON.stringify(expected)}`];
}

/** Why a version could not send or accept this. */
function misfits(sample: Sample, version: CompiledVersion): string[] {
  const of = (sentence: string): string => `${version.version}: ${sentence}`;
  if ('event' in sample) {
    const kind = version.contract.events.find(({ kind }) => kind === sample.event);
    if (!kind) return [of(`there is no event ${sample.event}`)];
    return schemaMisfits((kind.schema.properties as Record<string, JsonSchema>).data, sample.data).map(of);
  }
  const name = 'request' in sample ? sample.request : 'answerTo' in sample ? sample.answerTo : sample.ruleOf;
  const operation = operationOf(name, version);
  if (!operation) return [of(`there is no ${name}`)];
  if ('request' in sample) return requestMisfits(sample, operation).map(of);
  if ('answerTo' in sample) return answerMisfits(sample, operation, version).map(of);
  const schema = fieldsOf(operation)[sample.field] ?? {};
  return Object.entries(sample.schema)
    .filter(([keyword, value]) => !isDeepStrictEqual(schema[keyword], value))
    .map(([keyword]) => of(`${sample.field} has another ${keyword}`));
}

/** The fields of what an operation takes and gives; those that it takes come first. */
function fieldsOf({ body, responses }: Operation): Readonly<Record<string, JsonSchema>> {
  const schemas = [...Object.values(responses), body].map((part) => part?.schema.properties ?? {});
  return Object.assign({}, ...schemas);
}

function operationOf(name: string, { contract }: CompiledVersion): Operation | undefined {
  const [line = ''] = name.split('?');
  return contract.operations.find(({ method, path }) => `${method} ${path}` === line);
}

function requestMisfits(sample: Extract<Sample, { request: string }>, operation: Operation): string[] {
  const sent = sentQuery(sample.request);
  const known = createQueryReader(operation.query)(sent);
  const { security } = operation;
  const scopes = security.scheme === 'bearer' ? security.scopes : [];
  return [
    ...Object.keys(sent)
      .filter((name) => !(name in known))
      .map((name) => `there is no parameter ${name}`),
    ...schemaMisfits(operation.query, known),
    ...(sample.body ? schemaMisfits(operation.body?.schema, sample.body) : []),
    ...(sample.scopes && !isDeepStrictEqual(sample.scopes, scopes) ? ['it needs other scopes'] : []),
    ...(sample.clientAuthentication &&
    !isDeepStrictEqual(sample.clientAuthentication, operation.clientAuthentication)
      ? ['clients authenticate in other ways']
      : []),
  ];
}

function answerMisfits(
  { status, body }: AnswerSample,
  operation: Operation,
  { contract }: CompiledVersion,
): string[] {
  if (status in operation.responses) return schemaMisfits(operation.responses[status]?.schema, body);
  const { code, detail } = errorFacts(body);
  if (!operation.errors[status]?.includes(code)) return [`it does not answer ${status} ${code}`];
  const shape = (operation.errorShape ?? contract.errorShape).name;
  if (!isErrorShape(shape)) return [`there is no error shape ${shape}`];
  const written = errorResponse({ code, status, detail, headers: {}, members: {} }, shape).body;
  return isDeepStrictEqual(JSON.parse(written), body) ? [] : [`the error is written as ${written}`];
}

const errorFacts = (body: Json): { code: string; detail: string } => ({
  code: String(body.code ?? body.error),
  detail: String(body.detail ?? body.error_description),
});

/** An example is a part of the whole: it may omit fields, but not have others or of another type. */
function schemaMisfits(schema: JsonSchema | null | undefined, value: Json): string[] {
  if (!schema) return Object.keys(value).length === 0 ? [] : ['it has no body'];
  const partial = JSON.parse(
    JSON.stringify(schema, (key, part) =>
      ['required', 'dependentRequired'].includes(key) && isNamesOnly(part) ? undefined : part,
    ),
  );
  return Compile(partial).Check(value) ? [] : [`${JSON.stringify(value)} is no part of the schema`];
}

/** The keywords, as opposed to properties of the same name. */
function isNamesOnly(part: unknown): boolean {
  return Array.isArray(part) || Object.values(part as object).every(Array.isArray);
}

interface Bridge {
  made: unknown;
  expected: unknown;
}

/** The output of the change's code for one side, and the other side; null where it has no code for them. */
function bridgeOf(change: Change, { before, after }: Example, older: CompiledVersion): Bridge | null {
  if (after && 'event' in after) {
    const downgrade = change.downgradeEvent?.[after.event];
    const made = downgrade?.({ kind: after.event, data: after.data });
    return downgrade ? { made: made && { event: made.kind, data: made.data }, expected: before } : null;
  }
  if (before && after && 'answerTo' in before && 'answerTo' in after) {
    return answerBridge(change, { before, after }, older);
  }
  if (before && after && 'request' in before && 'request' in after) {
    const id = operationOf(before.request, older)?.id ?? '';
    const made = change.upgradeRequest?.[id]?.({ ...emptyRequest, body: before.body ?? {} });
    // What became a command cannot be expressed in a request of the newer version.
    const isSayable = made && Object.keys(made.command ?? {}).length === 0;
    return isSayable ? { made: made.body ?? before.body, expected: after.body } : null;
  }
  return null;
}

type AnswerSample = Extract<Sample, { answerTo: string }>;

function answerBridge(
  change: Change,
  { before, after }: { before: AnswerSample; after: AnswerSample },
  older: CompiledVersion,
): Bridge | null {
  const id = operationOf(before.answerTo, older)?.id ?? '';
  const downgrade = change.downgradeResponse?.[id];
  if (downgrade) {
    const made = downgrade(after.body, {
      ...contextOf(change, before.answerTo, older),
      status: after.status,
    });
    return { made, expected: before.body };
  }
  if (!change.downgradeError) return null;
  const made = change.downgradeError({ ...errorFacts(after.body), status: after.status }, id);
  return { made, expected: { ...errorFacts(before.body), status: before.status } };
}

const emptyRequest: UpgradableRequest = { params: {}, query: {}, headers: {}, body: {}, command: {} };

/** The request that an answer belongs to, if the change shows it too, and the total count of a list. */
function contextOf(change: Change, name: string, older: CompiledVersion) {
  const requests = change.examples.flatMap(({ before }) => (before && 'request' in before ? [before] : []));
  const request = requests.find((sample) => sample.request.split('?')[0] === name)?.request ?? '';
  const query = createQueryReader(operationOf(name, older)?.query ?? null)(sentQuery(request));
  return { request: { ...emptyRequest, query }, extras: { totalCount: 35 } };
}

function sentQuery(request: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(request.split('?')[1] ?? ''));
}
