import {
  type ApiVersion,
  apiVersion,
  type Change,
  type CompiledApi,
  compileApi,
  mergeApis,
  type Operation,
  toOpenApi,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const [oldest, older, newest] = [apiVersion('2026-01'), apiVersion('2026-04'), apiVersion('2026-07')];

function operation(id: string, path: string): Operation {
  const [security, responses] = [{ scheme: 'none' } as const, { 204: null }];
  return {
    id,
    method: 'GET',
    path,
    summary: id,
    groups: ['a'],
    security,
    query: null,
    body: null,
    responses,
    errors: {},
  };
}

/** An API of one operation and one kind. In older versions, data of its events says whose they are. */
function apiOf(
  owner: string,
  versions: readonly ApiVersion[],
  { id = `${owner}Read`, path = `/${owner}/{id}`, kind = `${owner}.made` } = {},
) {
  const errorShape = { name: owner, mediaType: 'application/json', schema: { type: 'object' } };
  const documents = versions.map((version) => {
    const schema = version === newest ? { type: 'object' } : { type: 'object', required: ['by'] };
    const events = [{ kind, summary: kind, schema, example: {} }];
    return toOpenApi({ version, errorShape, operations: [operation(id, path)], events }, owner);
  });
  const steps = versions.slice(1).map((newer, index) => {
    const changes = newer === newest ? [change(owner, kind)] : [];
    return { newer, older: versions[index] as ApiVersion, changes };
  });
  return compileApi({ documents, changeSets: steps });
}

function change(owner: string, kind: string): Change {
  const words = {
    summary: 'It.',
    why: 'So.',
    upgradeNote: 'Do.',
    examples: [{ before: null, after: null }] as const,
  };
  return {
    ...{ name: 'dropOwner', kind: 'removed', ...words, examples: [{ before: null, after: null }] },
    touches: [kind],
    downgradeError: (error) => ({ ...error, detail: owner }),
    downgradeEvent: { [kind]: (event) => ({ ...event, data: { ...event.data, by: owner } }) },
  };
}

const ours = apiOf('ours', [oldest, older, newest]);
const theirs = apiOf('theirs', [older, newest]);
const merged = mergeApis(ours, theirs);
const versionOf = (api: CompiledApi, version: ApiVersion) => {
  const found = api.get(version);
  if (!found) throw new Error(`there is no ${version}`);
  return found;
};
const eventIn = (version: ApiVersion, kind: string) =>
  versionOf(merged, version).downgradeEvent({ kind, data: {} });

describe('two APIs as one', () => {
  it('have the operations and kinds of both, in the versions that both have', () => {
    for (const version of [older, newest]) {
      const { contract, operations, validateEvent } = versionOf(merged, version);
      expect(contract.operations.map(({ id }) => id)).toEqual(['oursRead', 'theirsRead']);
      expect([...operations.keys()]).toEqual(['oursRead', 'theirsRead']);
      expect(contract.events.map(({ kind }) => kind)).toEqual(['ours.made', 'theirs.made']);
      expect([...validateEvent.keys()]).toEqual(['ours.made', 'theirs.made']);
    }
  });

  it('are the first alone in a version that the second lacks, where nobody knows of its kinds', () => {
    const { contract, operations } = versionOf(merged, oldest);
    expect(contract).toEqual(versionOf(ours, oldest).contract);
    expect([...operations.keys()]).toEqual(['oursRead']);
    expect(eventIn(oldest, 'theirs.made')).toBeNull();
    expect([...merged.keys()]).toEqual([oldest, older, newest]);
  });

  it('downgrade an event by the side that has its kind', () => {
    expect(eventIn(older, 'ours.made')).toEqual({ kind: 'ours.made', data: { by: 'ours' } });
    expect(eventIn(older, 'theirs.made')).toEqual({ kind: 'theirs.made', data: { by: 'theirs' } });
    expect(eventIn(newest, 'theirs.made')).toEqual({ kind: 'theirs.made', data: {} });
  });

  it('downgrade the errors of an operation by its side, and others by the first', () => {
    const { operations, downgradeError, contract } = versionOf(merged, older);
    const error = { code: 'a', status: 400, detail: '' };
    expect(operations.get('theirsRead')?.downgradeError(error).detail).toBe('theirs');
    expect(downgradeError(error).detail).toBe('ours');
    expect(contract.errorShape.name).toBe('ours');
  });

  it('have the documents of the first', () => {
    expect(versionOf(merged, older).document).toBe(versionOf(ours, older).document);
  });

  it.each([
    [{ id: 'oursRead' }, 'oursRead (GET /ours/{id} in 2026-01) and oursRead (GET /theirs/{id} in 2026-07)'],
    [
      { path: '/ours/{name}' },
      'oursRead (GET /ours/{id} in 2026-07) and theirsRead (GET /ours/{name} in 2026-07)',
    ],
    [{ kind: 'ours.made' }, 'both APIs have the event kind ours.made'],
  ])('are refused where they clash: %j', (parts, message) => {
    expect(() => mergeApis(ours, apiOf('theirs', [newest], parts))).toThrow(message);
  });
});
