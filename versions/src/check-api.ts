import { nextVersion } from './api-version.ts';
import type { Change, ChangeSet } from './change.ts';
import type { Contract } from './contract.ts';
import { differencesBetween } from './differences.ts';

/** Refuses what cannot work. Each message says what is wrong, where, and what to do. */
export function checkApi(contracts: readonly Contract[], changeSets: readonly ChangeSet[]): void {
  contracts.slice(1).forEach((newer, index) => {
    const older = contracts[index] as Contract;
    if (nextVersion(older.version) !== newer.version) {
      fail(
        `there is no contract between ${older.version} and ${newer.version}; versions follow each other by quarters`,
      );
    }
    const changeSet = changeSets[index];
    if (changeSet?.older !== older.version || changeSet.newer !== newer.version) {
      fail(
        `the changes from ${newer.version} to ${older.version} are missing; add their folder, empty if nothing changed`,
      );
    }
    checkStep(older, newer, (changeSet as ChangeSet).changes);
  });
}

function checkStep(older: Contract, newer: Contract, changes: readonly Change[]): void {
  const step = `from ${newer.version} to ${older.version}`;
  const differences = contractDifferences(older, newer);
  for (const path of differences) {
    if (changes.some((change) => covers(change, path))) continue;
    fail(`${path} differs ${step}, but no change module touches it; write one in that step's folder`);
  }
  for (const change of changes) checkChange(change, { older, newer, differences, step });
  checkErrorCodes(older, newer, changes, step);
}

/** `touches` are paths of differences, or their beginnings; `**` stands for anything. */
function covers({ touches }: Change, path: string): boolean {
  return touches.some((pattern) => patternOf(pattern).test(path));
}

function patternOf(touch: string): RegExp {
  const parts = touch.split('**').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}(\\.|$)`);
}

interface Step {
  older: Contract;
  newer: Contract;
  differences: readonly string[];
  step: string;
}

function checkChange(change: Change, { older, newer, differences, step }: Step): void {
  const idle = change.touches.find((pattern) => !differences.some((path) => patternOf(pattern).test(path)));
  if (change.touches.length === 0 || idle !== undefined) {
    fail(
      `${change.name} (${step}) touches ${idle ?? 'nothing'}, where nothing differs; correct its "touches" or delete the module`,
    );
  }
  const operations = new Set(older.operations.map(({ id }) => id));
  const kinds = new Set(newer.events.map(({ kind }) => kind));
  const bridged = [
    ...Object.keys(change.upgradeRequest ?? {}),
    ...Object.keys(change.downgradeResponse ?? {}),
  ];
  for (const id of bridged)
    if (!operations.has(id))
      fail(`${change.name} (${step}) bridges ${id}, which ${older.version} does not have`);
  for (const kind of Object.keys(change.downgradeEvent ?? {})) {
    if (!kinds.has(kind))
      fail(`${change.name} (${step}) downgrades the event ${kind}, which ${newer.version} does not have`);
  }
  for (const [from, to] of Object.entries(change.redirects ?? {})) {
    if (!newer.operations.some(({ id }) => id === to))
      fail(`${change.name} (${step}) redirects ${from} to ${to}, which ${newer.version} does not have`);
  }
}

/** Every error that the newer version may answer with must become one that the older version knows. */
function checkErrorCodes(older: Contract, newer: Contract, changes: readonly Change[], step: string): void {
  const downgrade = (code: string, status: number, id: string) =>
    changes.reduceRight((error, change) => change.downgradeError?.(error, id) ?? error, {
      code,
      status,
      detail: '',
    });
  for (const operation of older.operations) {
    const counterpart = newer.operations.find(({ id }) => id === operation.id);
    for (const [status, codes] of Object.entries(counterpart?.errors ?? {})) {
      for (const code of codes) {
        const mapped = downgrade(code, Number(status), operation.id);
        if (operation.errors[mapped.status]?.includes(mapped.code)) continue;
        fail(
          `${operation.id} answers ${status} ${code} in ${newer.version}; ${step} it becomes ${mapped.status} ${mapped.code}, which ${older.version} does not know: map it with downgradeError`,
        );
      }
    }
  }
}

/** Where two contracts differ: paths that begin with an operation id, an event kind, or `errors`. */
export function contractDifferences(older: Contract, newer: Contract): string[] {
  return differencesBetween(partsOf(older), partsOf(newer)).map(({ path }) => path);
}

function partsOf(contract: Contract): Record<string, unknown> {
  return Object.fromEntries([
    ...contract.operations.map(({ summary: _prose, ...operation }) => [operation.id, operation]),
    ...contract.events.map(({ kind, schema }) => [kind, withoutVersion(schema)]),
    ['errors', contract.errorShape],
  ]);
}

/** An event names its version; that alone is no difference. */
function withoutVersion(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'api_version' ? undefined : value)));
}

function fail(sentence: string): never {
  throw new Error(`The API cannot be built: ${sentence}.`);
}
