import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { OpenApiDocument } from '@dateline/versions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/dateline.ts';
import { newProduct } from '../support/contracts/products.ts';
import { anyEngine } from '../support/database/databases.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { documentedOperations } from '../support/service/operator-document.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';
import { callAs } from '../support/webhooks/deliveries.ts';
import { ENDPOINTS, newEndpoint } from '../support/webhooks/webhooks.ts';

/** A method and the path of an operation: `GET /operator/clients/{id}`. */
type Call = string;

/** What can be done in a browser only. */
const IN_A_BROWSER: Readonly<Record<string, string>> = {
  sign_in: 'sets the cookie of the console; the command line sends its key with each request',
  sign_out: 'ends the session of that cookie',
};

/** Commands that call no operation, or never end. What they would call is not counted, so nothing is gained by a name here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  migrate: 'changes the schema of a server; test/storage/roles.test.ts runs what it does',
  backup: 'writes a file; test/recovery/backup.test.ts runs it',
  restore: 'works on a stopped service; test/recovery runs it',
  serve: 'starts a service',
  worker: 'starts a worker',
  init: 'writes a folder',
  config: 'reads settings',
  contract: 'reads files of a clone',
  completion: 'prints a script',
  'webhook listen': 'goes on until it is stopped',
};

describe('the console and the command line', () => {
  const service = useTestService(anyEngine);
  const done = new Set<Call>();
  const failures: string[] = [];
  let idOf: ReadonlyMap<Call, string>;

  beforeAll(async () => {
    const document = (await (
      await service.call('sandbox', '/operator/openapi.json')
    ).json()) as OpenApiDocument;
    idOf = new Map(documentedOperations(document).map(({ method, path, id }) => [`${method} ${path}`, id]));
  });

  it('[who broke 7] every example of every command is understood', async () => {
    const stop = keepTimePassing();
    for (const [noun, some] of byNoun(commands)) {
      const isAboutThings = some.some(({ examples }) => examples.some((example) => example.includes('_…')));
      const ids = isAboutThings ? await createThings() : {};
      const failed: string[] = [];
      for (const { name, examples } of some) {
        if ([noun, name].some((one) => one in NOT_RUN)) continue;
        for (const example of examples) if (!(await runExample(example, ids))) failed.push(example);
      }
      // Some undo what others did: a release is scheduled once the one before it is undone.
      for (const example of failed) await runExample(example, ids);
    }
    stop();
    // 2 is a usage error.
    expect(failures.filter((line) => line.startsWith('2 '))).toEqual([]);
  }, 120_000);

  it('[who broke 7] what the console can do, the command line can do', () => {
    for (const line of service.logLines.filter((text) => text.includes('"route":"/operator/'))) {
      const { method, route, status } = JSON.parse(line) as { method: string; route: string; status: number };
      if (status < 300) done.add(`${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`);
    }
    const named = (calls: Iterable<Call>) =>
      [...new Set([...calls].map((call) => idOf.get(call) ?? call))].sort();
    const inConsole = named(callsOfConsole());
    expect(inConsole.length).toBeGreaterThan(50);
    const missing = inConsole.filter((id) => !(id in IN_A_BROWSER) && !named(done).includes(id));
    expect([missing, missing.length === 0 ? [] : failures]).toEqual([[], []]);
    expect(Object.keys(IN_A_BROWSER).filter((id) => !inConsole.includes(id))).toEqual([]);
  });

  /** What the examples name, each of its kind. */
  async function createThings(): Promise<Readonly<Record<string, string>>> {
    const { organization, client, user, access, grant } = await createCaller(service);
    const ask = (path: string, sent: unknown) =>
      callAs(service, access.tokenValue, { method: 'POST', path, sent, version: next });
    const endpoint = await ask(ENDPOINTS, newEndpoint);
    await ask('/v1/products/', newProduct);
    const json = async (...args: string[]) =>
      JSON.parse((await runCommandLine([...args, '--json'], operatorSettings(service))).out);
    const [event] = await json('event', 'list', '--endpoint', endpoint.body.id);
    const [token] = await json('grant', 'tokens', grant.id);
    const { secrets } = await json('client', 'show', client.id);
    const key = await json('operator-key', 'create', '--name', 'to be revoked');
    const { id: registration } = await json('registration-token', 'create', '--environment', 'production');
    return {
      ...{ org: organization.id, cli: client.id, usr: user.id, gra: grant.id, tok: token.id },
      ...{ whe: endpoint.body.id, evt: event.id, sec: secrets[0].id, opk: key.id, rgt: registration },
      req: 'req_0000000000000000000000',
    };
  }

  /** Whether it worked. */
  async function runExample(example: string, ids: Readonly<Record<string, string>>): Promise<boolean> {
    const line = example.replaceAll(
      /\b([a-z]{3})_…/g,
      (_all, kind: string) => ids[kind] ?? `${kind}_unknown`,
    );
    const [command = '', file] = line.split(' < ');
    const args = wordsOf(command).slice(1);
    const env = operatorSettings(service);
    const { code, err } = await withInput(file ?? '', () => runCommandLine(args, env));
    if (code !== 0) failures.push(`${code} ${example}: ${err}`);
    return code === 0;
  }

  /** What the examples read from these files, on standard input. */
  async function withInput<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    const text = file.startsWith('password')
      ? 'correct horse battery'
      : service.quickstart.sandbox.access_token;
    Object.defineProperty(process, 'stdin', {
      value: Readable.from([Buffer.from(text)]),
      configurable: true,
    });
    try {
      return await work();
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  }

  /** Releases take effect a few seconds after they are decided, by the clock of the service. */
  function keepTimePassing(): () => void {
    const timer = setInterval(() => service.clock.advanceSeconds(1), 100);
    return () => clearInterval(timer);
  }
});

/** By the first word; in each group, what is done for good comes last. */
function byNoun(all: readonly Command[]): Map<string, Command[]> {
  const groups = new Map<string, Command[]>();
  for (const command of all) {
    const noun = command.name.split(' ')[0] ?? '';
    groups.set(noun, [...(groups.get(noun) ?? []), command]);
  }
  const isForGood = ({ options = {} }: Command) => Number('yes' in options);
  for (const group of groups.values()) group.sort((one, other) => isForGood(one) - isForGood(other));
  return groups;
}

/** As a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const consoleFolder = new URL('../../console/src/', import.meta.url).pathname;

/** What the sources of the console call: `api.GET('/operator/…')` and `fetch('/operator/…')`. */
function callsOfConsole(): Call[] {
  const files = readdirSync(consoleFolder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .flatMap((file) => callsOf(join(consoleFolder, file)));
}

function callsOf(file: string): Call[] {
  const text = readFileSync(file, 'utf8');
  const calls: Call[] = [];
  for (const { 0: literal, 1: address, index } of text.matchAll(/['"`](\/operator\/[^'"`]*)['"`]/g)) {
    const before = text.slice(0, index).trimEnd();
    const method = /\bapi\.([A-Z]+)\($/.exec(before)?.[1];
    // Types name addresses too, and one comparison.
    if (method !== undefined) calls.push(`${method} ${address}`);
    else if (/\bfetch\($/.test(before)) calls.push(`${methodAfter(text, index + literal.length)} ${address}`);
    else if (!/(?:[<[]|===)$/.test(before))
      throw new Error(`${file} names ${literal} in a way that is not understood here.`);
  }
  return calls;
}

/** The method in the options of a `fetch`, whose address ends here. */
function methodAfter(text: string, from: number): string {
  return /^,\s*\{\s*method: '(\w+)'/.exec(text.slice(from))?.[1] ?? 'GET';
}
