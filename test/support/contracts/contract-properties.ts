import { isDeepStrictEqual } from 'node:util';
import {
  type ApiSource,
  type CompiledOperation,
  type CompiledVersion,
  compileApi,
  type Json,
  responseValidators,
  type UpgradableRequest,
} from '@dateline/versions';
import fc from 'fast-check';
import { errorMessage } from '../../../src/kernel/error-facts.ts';
import { fromSchema } from './from-schema.ts';

interface Step {
  newer: CompiledVersion;
  older: CompiledVersion;
}

/**
 * Checks neighbouring versions with generated values: a newer answer or event, downgraded, is valid in the older
 * version; an older request, upgraded, is valid in the newer one. Throws otherwise.
 */
export function checkNeighbours(source: ApiSource, numRuns: number): void {
  compileApi(source);
  for (const step of stepsOf(source)) {
    for (const operation of step.older.operations.values()) {
      checkResponses(step, operation, numRuns);
      checkRequests(step, operation, numRuns);
    }
    checkEvents(step, numRuns);
  }
}

/** Each pair of neighbours as an API of its own, so that one step is checked at a time. */
export function stepsOf({ documents, changeSets }: ApiSource): Step[] {
  return changeSets.map((changeSet, index) => {
    const pair = compileApi({ documents: documents.slice(index, index + 2), changeSets: [changeSet] });
    const [older, newer] = [...pair.values()] as [CompiledVersion, CompiledVersion];
    return { older, newer };
  });
}

function checkResponses({ newer, older }: Step, compiled: CompiledOperation, numRuns: number): void {
  const counterpart = newer.operations.get(compiled.headOperationId);
  if (!counterpart)
    throw new Error(
      `${compiled.operation.id} of ${older.version} has nothing to do its work in ${newer.version}`,
    );
  const validators = responseValidators(compiled.operation);
  for (const [status, body] of Object.entries(counterpart.operation.responses)) {
    const validate = validators[Number(status)];
    if (!validate)
      throw new Error(`${compiled.operation.id} may answer ${status}, which ${older.version} does not know`);
    if (!body) continue;
    const answers = fromSchema(body.schema) as fc.Arbitrary<Json>;
    const property = fc.property(answers, requestsOf(compiled), fc.nat(), (answer, request, totalCount) => {
      const downgraded =
        compiled.downgradeResponse?.(answer, {
          request,
          status: Number(status),
          extras: { totalCount },
        }) ?? answer;
      expectNone(validate(downgraded), 'downgraded, it');
    });
    holds(property, numRuns, `${compiled.operation.id} ${status} of ${newer.version} in ${older.version}`);
  }
}

function checkRequests({ newer, older }: Step, compiled: CompiledOperation, numRuns: number): void {
  const counterpart = newer.operations.get(compiled.headOperationId)?.operation;
  const isAuthenticatedAlike = isDeepStrictEqual(
    compiled.operation.clientAuthentication,
    counterpart?.clientAuthentication,
  );
  const schema = counterpart?.body?.schema;
  const known = Object.keys((schema?.properties ?? {}) as object);
  const knownQuery = Object.keys((counterpart?.query?.properties ?? {}) as object);
  const property = fc.property(requestsOf(compiled), (request) => {
    const upgraded = compiled.upgradeRequest?.(request) ?? request;
    const strangers = Object.keys(upgraded.body).filter((name) => !known.includes(name));
    const strangeQuery = Object.keys(upgraded.query).filter((name) => !knownQuery.includes(name));
    expectNone([...strangers, ...strangeQuery], 'upgraded, it has names that are unknown there, and');
    checkNothingLost(request, upgraded);
    // An operation that another one implements must pass it a command.
    const redirected = compiled.headOperationId !== compiled.operation.id;
    if (redirected && Object.keys(upgraded.command).length === 0) {
      throw new Error(`it asks ${compiled.headOperationId} for nothing`);
    }
    // A handler does not know the version: only a command tells it how the client authenticates there.
    if (!isAuthenticatedAlike && Object.keys(upgraded.command).length === 0) {
      throw new Error('it does not say how its client authenticates');
    }
  });
  holds(property, numRuns, `a request to ${compiled.operation.id} of ${older.version} in ${newer.version}`);
}

/** Throws if the upgrade has lost the request: it must show in the upgraded request or in its command. */
function checkNothingLost(request: UpgradableRequest, upgraded: UpgradableRequest): void {
  const said = (value: UpgradableRequest): number =>
    Object.keys(value.body).length + Object.keys(value.query).length + Object.keys(value.command).length;
  const asked = Object.keys(request.body).length + Object.keys(request.query).length;
  if (asked > 0 && said(upgraded) === 0) throw new Error('all that was asked for is gone after the upgrade');
}

function checkEvents({ newer, older }: Step, numRuns: number): void {
  for (const { kind, schema } of newer.contract.events) {
    const data = (schema as { properties: { data: Json } }).properties.data;
    const property = fc.property(fromSchema(data) as fc.Arbitrary<Json>, (payload) => {
      const event = older.downgradeEvent({ kind, data: payload });
      if (event === null) return;
      const body = {
        type: event.kind,
        api_version: older.version,
        timestamp: '2026-11-15T12:00:00.000Z',
        data: event.data,
      };
      const validate = older.validateEvent.get(event.kind);
      if (!validate) throw new Error(`it becomes ${event.kind}, which is unknown there`);
      expectNone(validate(body), 'downgraded, it');
    });
    holds(property, numRuns, `the event ${kind} of ${newer.version} in ${older.version}`);
  }
}

/** Says first what fails, in which version and at which field: what was generated to find it comes last. */
function holds<Values>(property: fc.IProperty<Values>, numRuns: number, what: string): void {
  const { failed, errorInstance, counterexample } = fc.check(property, { numRuns, seed: 1 });
  if (failed)
    throw new Error(`${what}: ${errorMessage(errorInstance)}\nFor example: ${fc.stringify(counterexample)}`);
}

export function requestsOf({ operation }: CompiledOperation): fc.Arbitrary<UpgradableRequest> {
  const empty = fc.constant({}) as fc.Arbitrary<Json>;
  return fc.record({
    params: fc.constant({ id: 'prd_x' }),
    query: operation.query ? (fromSchema(operation.query) as fc.Arbitrary<Json>) : empty,
    headers: fc.constant({}),
    body: operation.body ? (fromSchema(operation.body.schema) as fc.Arbitrary<Json>) : empty,
    command: empty,
  });
}

type Finding = string | { instancePath: string; message: string };

function expectNone(findings: readonly Finding[], what: string): void {
  const fields = findings.map((one) =>
    typeof one === 'string' ? one : `${one.instancePath || '/'} ${one.message}`,
  );
  if (fields.length > 0) throw new Error(`${what} is refused: ${fields.join(', ')}`);
}
