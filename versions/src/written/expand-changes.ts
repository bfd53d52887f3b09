import { foundDifferences } from '../compile/contract-differences.ts';
import type {
  Change,
  ChangeSet,
  EventFacts,
  Json,
  ResponseContext,
  UpgradableRequest,
} from '../contract/change.ts';
import type { Contract } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { fieldWords } from './change-words.ts';
import type { FieldEdits } from './field-edits.ts';
import { fieldExample } from './field-example.ts';
import { type ContractRewrites, contractRewrites } from './field-rewrites.ts';
import { eventChange, operationChange } from './operation-changes.ts';
import { touchedByFields } from './touched-differences.ts';
import {
  type FieldChange,
  isFieldChange,
  isPlainChange,
  type WrittenChange,
  type WrittenChangeSet,
} from './written-change.ts';

export interface ExpandedChanges {
  changeSet: ChangeSet;
  /** Why some of them cannot be carried out, in sentences. */
  problems: readonly string[];
}

/**
 * Changes as the engine carries them out: with code by operation, with what they touch, and with words. Changes of fields are made
 * first in both directions, all of them at once: so each finds values as its own version has them, and the functions of other changes
 * of the same step get what they have made.
 */
export function expandChanges(set: WrittenChangeSet, older: Contract, newer: Contract): ExpandedChanges {
  const { changes } = set;
  if (changes.every(isPlainChange)) return { changeSet: { ...set, changes }, problems: [] };
  const differences = [...foundDifferences(older, newer).values()].flat();
  const between = { older, newer, paths: new Set(differences.map(({ path }) => path)) };
  const ofFields = changes.filter(isFieldChange);
  const touched = touchedByFields(ofFields, { older, newer });
  const others = changes.map((change) => (isFieldChange(change) ? change : otherChange(change, between)));
  const redirects = Object.assign(
    {},
    ...others.map((change) => ('redirects' in change ? change.redirects : {})),
  );
  const { up, down, edits, problems } = contractRewrites({ older, newer, changes: ofFields, redirects });
  const expanded = others.map((change): Change => {
    if (!isFieldChange(change)) return change;
    const index = ofFields.indexOf(change);
    return fieldChange(change, { touches: touched[index] ?? [], code: edits[index], between });
  });
  const names = expanded.filter((_change, index) => isField(others[index])).map(({ name }) => name);
  return {
    changeSet: { ...set, changes: [upwards(up, names), ...expanded, downwards(down, names)] },
    problems: [...problems, ...twice(expanded)],
  };
}

function isField(change: FieldChange | Change | undefined): boolean {
  return change !== undefined && isFieldChange(change);
}

function otherChange(
  change: Exclude<WrittenChange, FieldChange>,
  between: Parameters<typeof eventChange>[1],
): Change {
  if (isPlainChange(change)) return change;
  return change.by === 'operation' ? operationChange(change, between) : eventChange(change, between);
}

function fieldChange(
  change: FieldChange,
  {
    touches,
    code,
    between,
  }: {
    touches: readonly string[];
    code: FieldEdits | undefined;
    between: { older: Contract; newer: Contract };
  },
): Change {
  const { by: _by, subject: _subject, field: _field, edit: _edit, ...words } = change;
  return {
    why: '',
    ...fieldWords(change),
    examples: [fieldExample(change, code, between)],
    ...words,
    touches,
  };
}

/** First on the way up. */
function upwards({ requests }: ContractRewrites['up'], names: readonly string[]): Change {
  const upgradeRequest = Object.fromEntries(
    [...requests].map(([id, { body, query, headers }]) => [
      id,
      (request: UpgradableRequest): Partial<UpgradableRequest> => ({
        ...(body && { body: body(request.body) as Json }),
        ...(query && { query: query(request.query) as Json }),
        ...(headers && { headers: headers(request.headers) as UpgradableRequest['headers'] }),
      }),
    ]),
  );
  return { ...codeFor(names), upgradeRequest };
}

/** Last in the list, and so first on the way down. */
function downwards({ answers, errors, events }: ContractRewrites['down'], names: readonly string[]): Change {
  const byStatus = (tables: ContractRewrites['down']['answers']): NonNullable<Change['downgradeResponse']> =>
    Object.fromEntries(
      [...tables].map(([id, rewriteFor]) => [
        id,
        (body: Json, { status }: ResponseContext) => (rewriteFor(status)?.(body) ?? body) as Json,
      ]),
    );
  const downgradeEvent = Object.fromEntries(
    [...events].map(([kind, rewrite]) => [
      kind,
      (event: EventFacts): EventFacts => {
        const data = rewrite(event.data);
        return isPart(data) ? { kind: event.kind, data } : event;
      },
    ]),
  );
  return {
    ...codeFor(names),
    downgradeResponse: byStatus(answers),
    downgradeErrorBody: byStatus(errors),
    downgradeEvent,
  };
}

function codeFor(names: readonly string[]) {
  const words = { name: names.join(', '), summary: '', why: '', upgradeNote: '' };
  const examples: Change['examples'] = [{ before: null, after: null }];
  return { ...words, kind: 'changed' as const, examples, touches: [], codeOf: names };
}

/** Names are addresses in the release notes. */
function twice(changes: readonly Change[]): string[] {
  const names = changes.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `two changes are called ${name}: give one of them another name, with { name: '…' }`,
  );
}
