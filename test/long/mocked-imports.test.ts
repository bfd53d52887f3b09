import { deref, type Operation, partAt } from '@dateline/versions';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { reserved } from '../../src/api/compose/reserved.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { type GeneratedCall, generatedCall } from '../support/documents/generated-calls.ts';
import { importedDocuments, importIntoFolder } from '../support/documents/imported-documents.ts';
import { answered } from '../support/run/answered.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { spawnDev } from '../support/service/spawn-dev.ts';

type Part = Readonly<Record<string, unknown>>;
type Version = NonNullable<ReturnType<Awaited<ReturnType<typeof readApiFolder>>['api']['get']>>;

/** Strings of chance are no good paths, and not every value has a form in a query: another sample is tried then. */
const TRIES_MAX = 60;

const tally = new Map<string, Record<string, number>>();

describe.skipIf(importedDocuments === null)('a document of others, imported and served by its mock', () => {
  afterAll(() => console.table(Object.fromEntries(tally)));

  it.each(importedDocuments ?? [])(
    '$name ($edition): every operation answers in all three versions',
    async ({ name, file }) => {
      const { folder } = await importIntoFolder(file);
      const { api, config } = await readApiFolder(folder, reserved());
      const dev = await spawnDev(folder, ['--mock', '--quiet']);
      onTestFinished(() => dev.remove());
      const silent: string[] = [];
      const counts = { operations: 0, answered: 0, calls: 0 };
      for (const id of [deprecated, current, next]) {
        const version = api.get(id);
        if (!version) throw new Error(`${id} is served`);
        for (const { operation } of version.operations.values()) {
          counts.operations += 1;
          const last = await firstAnswer(
            operation,
            parametersOf(operation, version, config.mount),
            (call) => {
              counts.calls += 1;
              return send(dev.url, dev.token, id, call);
            },
          );
          if (last === null) counts.answered += 1;
          else silent.push(`${id} ${operation.id}: ${last}`);
        }
      }
      tally.set(name, counts);
      expect(silent).toEqual([]);
    },
  );
});

/** A document has its own paths, below which the API may be mounted. */
function parametersOf({ path, method }: Operation, { document }: Version, mount = ''): Part[] {
  const own = path.slice(mount.length);
  const parts = [partAt(document, 'paths', own), partAt(document, 'paths', own, method.toLowerCase())];
  return parts.flatMap((part) =>
    ((part?.parameters ?? []) as Part[]).map((parameter) => deref(document, parameter) as Part),
  );
}

/** Null once it was answered with a success; else the last answer. */
async function firstAnswer(
  operation: Operation,
  parameters: readonly Part[],
  call: (generated: GeneratedCall) => Promise<{ status: number; text: string }>,
): Promise<string | null> {
  let last = 'there is no sample of a request';
  for (let number = 0; number < TRIES_MAX; number++) {
    const generated = generatedCall(operation, number, parameters);
    if (!generated) return last;
    const { status, text } = await call(generated);
    if (status < 400) return null;
    last = `${generated.method} ${generated.target}: ${status} ${text.slice(0, 200)}`;
    // What is the same at every try is no matter of samples.
    if (![400, 404, 422].includes(status)) return last;
  }
  return last;
}

async function send(
  base: string,
  token: string,
  version: string,
  { method, target, headers, body }: GeneratedCall,
): Promise<{ status: number; text: string }> {
  const response = await fetch(base + target, {
    method,
    redirect: 'manual',
    headers: { ...headers, 'service-version': version, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  return answered({ status, text: await response.text() }, `${method} ${target}`);
}
