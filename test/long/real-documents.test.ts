import {
  type Contract,
  declaredBody,
  deref,
  isJsonType,
  type OpenApiDocument,
  type Operation,
  partAt,
  validator,
} from '@dateline/versions';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { reserved } from '../../src/api/compose/reserved.ts';
import { createFolderReader } from '../../src/api/folder/folder-contract.ts';
import { proveChanges } from '../../src/api/folder/prove-changes.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import type { EnvironmentName } from '../../src/environments/environment.ts';
import { anyEngine } from '../support/database/databases.ts';
import { editedDocument } from '../support/documents/edited-document.ts';
import { type GeneratedCall, generatedCall } from '../support/documents/generated-calls.ts';
import { loadDocument, realDocuments } from '../support/documents/real-documents.ts';
import { decisionsOf, folderOf, writeConfig } from '../support/documents/real-folder.ts';
import { type GivenAnswer, startSamplingUpstream } from '../support/documents/sampling-upstream.ts';
import { answered } from '../support/run/answered.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { startTestService, type TestService } from '../support/service/test-service.ts';

const CALLS = 1_000;
type Part = Readonly<Record<string, unknown>>;
type Api = Awaited<ReturnType<typeof readApiFolder>>['api'];

const tally = new Map<string, Record<string, number>>();

describe.skipIf(realDocuments === null)('a public document as an API folder', () => {
  afterAll(() => console.table(Object.fromEntries(tally)));

  it.each(realDocuments ?? [])(
    '$name is read, frozen and served in three versions; every answer fits the document of its version',
    async (real) => {
      const document = await loadDocument(real);
      const { next: edited, modules } = editedDocument(document);
      expect(modules.length).toBeGreaterThanOrEqual(3);
      const config = decisionsOf(document);
      const folder = await folderOf(document, edited, modules, config);
      const { api, source } = await readApiFolder(folder, reserved());
      expect(proveChanges(source, next).problems).toEqual([]);
      const upstream = await startSamplingUpstream(upstreamOperations(api));
      onTestFinished(() => void upstream.server.close());
      writeConfig(folder, real, config, upstream.url);
      const service = await startTestService(anyEngine, { DATELINE_API: folder });
      onTestFinished(() => service.stop());
      const counts = await callAll(service, api, upstream.take);
      tally.set(real.name, counts);
    },
  );
});

/** Those of Next, and those that it lacks and that are kept. */
function upstreamOperations(api: Api): Operation[] {
  const contracts = [next, current].map((version) => api.get(version)?.contract as Contract);
  const all = contracts.flatMap(({ operations }) => operations);
  const once = all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
  return once.map((operation) => ({ ...operation, path: operation.path.replace(/^\/api(?=\/)/, '') }));
}

async function callAll(
  service: TestService,
  api: Api,
  take: () => GivenAnswer | null,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {
    calls: 0,
    unsampled: 0,
    inside: 0,
    outside: 0,
    'not forwarded': 0,
  };
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const versions = [deprecated, current, next];
  const served = new Map<string, Awaited<ReturnType<typeof servedIn>>>();
  // One after the other: the first reader waits until it is made.
  for (const version of versions) served.set(version, await servedIn(service, version));
  const tokens = await tokensOf(service);
  const left = new Map(versions.map((version) => [version, 0]));
  for (let number = 0; counts.calls !== undefined && counts.calls < CALLS && number < CALLS * 20; number++) {
    const version = versions[number % versions.length] ?? next;
    const environment: EnvironmentName = number % 2 === 0 ? 'sandbox' : 'production';
    const operations = [...(api.get(version)?.operations.values() ?? [])];
    const index = left.get(version) ?? 0;
    left.set(version, index + 1);
    const { operation } = operations[index % operations.length] ?? {};
    const document = served.get(version);
    if (!operation || !document) throw new Error(`${version} has no operations`);
    const call = generatedCall(operation, number, document.parametersOf(operation));
    if (!call) {
      count('unsampled');
      continue;
    }
    count('calls');
    take();
    const answer = await send(service.urls[environment], call, { version, token: tokens[environment] });
    const given = take();
    const where = `${version} ${environment} ${call.method} ${call.target} (${operation.id}): ${answer.status} ${answer.text.slice(0, 300)}`;
    const problem = document.problemOf(operation, answer);
    const isPassedOn = given?.isOutside && environment === 'production' && version === next;
    if (given?.isOutside) count('outside');
    else count(given ? 'inside' : 'not forwarded');
    if (given?.isOutside && !isPassedOn) expect(answer.status, where).toBe(502);
    // A failure of the upstream that its contract gives no form is told as ours.
    else if (given && !given.isOutside && given.status < 500) expect(answer.status, where).not.toBe(502);
    if (!isPassedOn) expect(problem, where).toBeNull();
  }
  // A few are refused: strings of chance are no good paths, and not every value has a form in a query.
  expect(counts['not forwarded'], JSON.stringify(counts)).toBeLessThan(Number(counts.calls) * 0.2);
  return counts;
}

interface Answer {
  status: number;
  mediaType: string | null;
  text: string;
}

async function send(
  base: string,
  { method, target, headers, body }: GeneratedCall,
  { version, token }: { version: string; token: string },
): Promise<Answer> {
  const response = await fetch(base + target, {
    method,
    redirect: 'manual',
    headers: { ...headers, 'service-version': version, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });
  const type = response.headers.get('content-type');
  const mediaType = type?.split(';')[0]?.trim().toLowerCase() ?? null;
  const { status } = response;
  return answered({ status, mediaType, text: await response.text() }, `${method} ${target}`);
}

/** It chooses the version, so it is no parameter of an operation. */
function withoutVersionHeader(name: string, value: unknown): unknown {
  if (name === 'Service-Version') return undefined;
  if (name !== 'parameters' || !Array.isArray(value)) return value;
  return value.filter(({ $ref }: { $ref?: string }) => !$ref?.endsWith('/Service-Version'));
}

/** What a client of a version can know: its document, as it is served. */
async function servedIn(service: TestService, version: string) {
  const response = await service.call('sandbox', `/versions/${version}/openapi.json`);
  const document = JSON.parse(await response.text(), withoutVersionHeader) as OpenApiDocument;
  const { contract, problems } = createFolderReader({ open: '*' })(document);
  if (!contract)
    throw new Error(
      `the served document of ${version} cannot be read: ${JSON.stringify(problems.slice(0, 5))}`,
    );
  const named = (path: string): string => path.replace(/(?<=.)\/$/, '');
  const byTarget = new Map(
    contract.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return {
    parametersOf({ path, method }: Operation): Part[] {
      const item = partAt(document, 'paths', named(path));
      const own = partAt(document, 'paths', named(path), method.toLowerCase());
      return [item, own].flatMap((part) =>
        ((part?.parameters ?? []) as Part[]).map((parameter) => deref(document, parameter) as Part),
      );
    },
    problemOf({ path, method }: Operation, { status, mediaType, text }: Answer): string | null {
      const operation = byTarget.get(`${method} ${named(path)}`);
      if (!operation) return 'the served document lacks the operation';
      const body = declaredBody(operation, status);
      if (body === undefined) return `the served document lacks the status ${status}`;
      if (body === null || text === '') return null;
      if (mediaType !== body.mediaType || !isJsonType(mediaType)) return null;
      const [finding] = validator(body.schema)(JSON.parse(text));
      return finding ? `${finding.instancePath} ${finding.message}` : null;
    },
  };
}

async function tokensOf(service: TestService): Promise<Record<EnvironmentName, string>> {
  const production = await productionToken(service);
  return { sandbox: service.quickstart.sandbox.access_token, production };
}

async function productionToken(service: TestService): Promise<string> {
  const organization = await service.operate('production', '/operator/organizations', {
    method: 'POST',
    body: { name: 'Real' },
  });
  const { id } = (await organization.json()) as { id: string };
  const created = await service.operate('production', '/operator/clients', {
    method: 'POST',
    body: { name: 'Real', kind: 'confidential', organization_id: id, grant_types: ['client_credentials'] },
  });
  const { id: client_id, client_secret, ...rest } = (await created.json()) as Record<string, string>;
  if (!client_id || !client_secret) throw new Error(`no client: ${JSON.stringify(rest)}`);
  const response = await service.call('production', '/v1/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token, ...other } = (await response.json()) as Record<string, string>;
  if (!access_token) throw new Error(`no token: ${JSON.stringify(other)}`);
  return access_token;
}
