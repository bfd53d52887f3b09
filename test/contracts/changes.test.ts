import type { ApiSource, Change } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { checkNeighbours } from '../support/contracts/contract-properties.ts';
import { writtenModules } from '../support/contracts/written-modules.ts';
import { firstOf } from '../support/run/in-long-runs.ts';

const source = apiSource();
const modules = source.changeSets.flatMap((set) =>
  set.changes.map((change) => ({ set, change, name: change.name })),
);

function withChanges(edit: (changes: readonly Change[]) => readonly Change[]): ApiSource {
  return { ...source, changeSets: source.changeSets.map((set) => ({ ...set, changes: edit(set.changes) })) };
}

const identity = <Value>(value: Value): Value => value;
const identities = (functions: object | undefined) =>
  functions && Object.fromEntries(Object.keys(functions).map((key) => [key, identity]));

/** The same module, bridging nothing. */
function toIdentity(change: Change): Change {
  return {
    ...change,
    ...(change.upgradeRequest ? { upgradeRequest: identities(change.upgradeRequest) } : {}),
    ...(change.downgradeResponse ? { downgradeResponse: identities(change.downgradeResponse) } : {}),
    ...(change.downgradeEvent ? { downgradeEvent: identities(change.downgradeEvent) } : {}),
    ...(change.downgradeError ? { downgradeError: identity } : {}),
  } as Change;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

type Code = (value: unknown, ...more: unknown[]) => unknown;
const onFrozen =
  (code: Code): Code =>
  (value, ...more) =>
    code(frozen(value), ...more);
const allOnFrozen = (functions: object | undefined) =>
  functions &&
  Object.fromEntries(Object.entries(functions).map(([key, code]) => [key, onFrozen(code as Code)]));

/** The same module, which throws where it edits what it gets. */
function unableToEdit(change: Change): Change {
  const { upgradeRequest, downgradeResponse, downgradeEvent, downgradeError } = change;
  return {
    ...change,
    ...(upgradeRequest ? { upgradeRequest: allOnFrozen(upgradeRequest) } : {}),
    ...(downgradeResponse ? { downgradeResponse: allOnFrozen(downgradeResponse) } : {}),
    ...(downgradeEvent ? { downgradeEvent: allOnFrozen(downgradeEvent) } : {}),
    ...(downgradeError ? { downgradeError: onFrozen(downgradeError as Code) } : {}),
  } as Change;
}

/** What they change is in no schema, but inside a signed text: test/oauth/openid-since-2027-01.test.ts holds it. */
const unseenByContracts = ['putNamesIntoIdTokens'];

const hasCode = (change: Change): boolean =>
  !unseenByContracts.includes(change.name) &&
  ['upgradeRequest', 'downgradeResponse', 'downgradeEvent', 'downgradeError'].some((name) => name in change);

function messageOf(work: () => void): string {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the changes between versions', () => {
  it('[versions 64] bridge every operation, status and event of both steps, for any value', () => {
    expect(() => checkNeighbours(source, 200)).not.toThrow();
  });

  it('edit nothing in place, and so get no copies', () => {
    expect(modules.every(({ change }) => change.editsNothing)).toBe(true);
    expect(() =>
      checkNeighbours(
        withChanges((changes) => changes.map(unableToEdit)),
        200,
      ),
    ).not.toThrow();
  });

  it.each(modules.filter(({ change }) => !change.codeOf))(
    '[versions 65] are found missing at once when $name is deleted',
    ({ change }) => {
      const without = withChanges((changes) => changes.filter((candidate) => candidate !== change));
      expect(() => checkNeighbours(without, 50)).toThrow();
    },
  );

  it.each(
    firstOf(
      modules.filter(({ change }) => hasCode(change)),
      3,
    ),
  )('are found missing at once when $name does nothing', ({ change }) => {
    const idle = withChanges((changes) =>
      changes.map((candidate) => (candidate === change ? toIdentity(change) : candidate)),
    );
    expect(() => checkNeighbours(idle, 50)).toThrow();
  });

  it('[outside2 29] name the operation, the versions and the field where a downgrade was forgotten', () => {
    const bridging = modules.filter(({ change }) => change.downgradeResponse && hasCode(change)).slice(0, 3);
    const messages = bridging.map(({ change }) => {
      const { downgradeResponse: _forgotten, ...rest } = change;
      const forgotten = withChanges((all) => all.map((one) => (one === change ? rest : one)));
      return messageOf(() => checkNeighbours(forgotten, 20));
    });
    bridging.forEach(({ set, change }, index) => {
      const operations = Object.keys(change.downgradeResponse ?? {}).join('|');
      expect(messages[index]).toMatch(
        new RegExp(
          `^(${operations}) 20\\d of ${set.newer} in ${set.older}: downgraded, it is refused: /\\w+.*\nFor example: `,
        ),
      );
    });
  });

  it('are named after what they do, in files of the same name', async () => {
    for (const { set, written, name } of writtenModules()) {
      const file = name.replaceAll(/([A-Z])/g, '-$1').toLowerCase();
      const module = await import(`../../src/contracts/changes/${set.newer}-to-${set.older}/${file}.ts`);
      expect(module[name]).toBe(written);
    }
  });
});
