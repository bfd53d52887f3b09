import {
  type ApiSource,
  apiProblems,
  apiSteps,
  apiVersion,
  type Change,
  type Contract,
  compileApi,
  type EventFacts,
  InvalidApiError,
  type Operation,
  toOpenApi,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const [oldest, older, newer] = [apiVersion('2026-01'), apiVersion('2026-04'), apiVersion('2026-07')];

function operation(id: string, change: Partial<Operation> = {}): Operation {
  return {
    id,
    method: 'GET',
    path: `/${id.replace(':', '/')}`,
    summary: id,
    groups: ['books'],
    security: { scheme: 'none' },
    query: null,
    body: null,
    responses: { 204: null },
    errors: { 404: ['not_found'] },
    ...change,
  };
}

function contract(version: Contract['version'], operations: readonly Operation[]): Contract {
  const errorShape = { name: 'plain', mediaType: 'application/json', schema: { type: 'object' } };
  const schema = { type: 'object' };
  return {
    version,
    errorShape,
    operations,
    events: [{ kind: 'book.lent', summary: 'Lent', schema, example: {} }],
  };
}

function change(name: string, parts: Partial<Change>): Change {
  const example = { before: null, after: null };
  const words = { summary: 'It.', why: 'So.', upgradeNote: 'Do.', examples: [example] as [typeof example] };
  return { name, kind: 'changed', touches: [], ...words, ...parts };
}

/** Two versions of an API, the newer one with another scope, another status and an operation of its own. */
function source(changes: readonly Change[], changesFolder?: string): ApiSource {
  const bearer = { scheme: 'bearer', scopes: ['books:read'] } as const;
  const contracts = [
    contract(older, [operation('books:list'), operation('books:read')]),
    contract(newer, [
      operation('books:list', { security: bearer }),
      operation('books:read', { errors: { 404: ['not_found'], 410: ['gone'] } }),
      operation('books:lend'),
    ]),
  ];
  return {
    documents: contracts.map((one) => toOpenApi(one, 'Library')),
    changeSets: [{ newer, older, changes }],
    ...(changesFolder === undefined ? {} : { changesFolder }),
  };
}

const answerNotFound = change('answerNotFound', {
  touches: ['books:read.errors'],
  downgradeError: (error) => (error.code === 'gone' ? { ...error, status: 404, code: 'not_found' } : error),
});
const requireScope = change('requireScope', { touches: ['books:list.security'] });
const addLending = change('addLending', { touches: ['books:lend'] });
const whole = [answerNotFound, requireScope, addLending];

describe('the problems of an API', () => {
  it('are none where every difference is covered', () => {
    expect(apiProblems(source(whole))).toEqual([]);
    expect(apiSteps(source(whole))).toMatchObject([{ differences: { length: 4 }, changes: { length: 3 } }]);
  });

  it('are all named at once, each with the folder to write in', () => {
    const problems = apiProblems(source([answerNotFound], 'src/changes'));
    expect(problems).toEqual([
      'books:lend differs from 2026-07 to 2026-04, but no change module touches it; write one in src/changes/2026-07-to-2026-04/.',
      'books:list.security.scheme differs from 2026-07 to 2026-04, but no change module touches it; write one in src/changes/2026-07-to-2026-04/.',
      'books:list.security.scopes differs from 2026-07 to 2026-04, but no change module touches it; write one in src/changes/2026-07-to-2026-04/.',
    ]);
    expect(() => compileApi(source([answerNotFound], 'src/changes'))).toThrow(new InvalidApiError(problems));
  });

  it('are modules that cover nothing, and every single pattern that does not', () => {
    const changes = [
      ...whole,
      change('doNothing', {}),
      change('missTwice', { touches: ['books:read.query', 'books:lend', 'books:lis'] }),
    ];
    expect(apiProblems(source(changes, 'src/changes'))).toEqual([
      'doNothing (from 2026-07 to 2026-04) touches nothing; correct it in src/changes/2026-07-to-2026-04/, or delete the module.',
      'missTwice (from 2026-07 to 2026-04) touches books:read.query, where nothing differs; correct it in src/changes/2026-07-to-2026-04/, or delete the module.',
      'missTwice (from 2026-07 to 2026-04) touches books:lis, where nothing differs; correct it in src/changes/2026-07-to-2026-04/, or delete the module.',
    ]);
  });

  it('are bridges, events and redirects that lead to nothing', () => {
    const lost = change('leadAstray', {
      touches: ['books:lend'],
      upgradeRequest: { 'books:lend': (request) => request },
      downgradeResponse: { 'books:lend': (body) => body, 'books:burn': (body) => body },
      downgradeEvent: { 'book.lost': (event) => event },
      redirects: { 'books:list': 'books:find' },
    });
    expect(apiProblems(source([...whole, lost])).map((problem) => problem.split('; ')[0])).toEqual([
      'leadAstray (from 2026-07 to 2026-04) bridges books:lend, which 2026-04 does not have',
      'leadAstray (from 2026-07 to 2026-04) bridges books:burn, which 2026-04 does not have',
      'leadAstray (from 2026-07 to 2026-04) downgrades the event book.lost, which 2026-07 does not have',
      'leadAstray (from 2026-07 to 2026-04) redirects to books:find, which 2026-07 does not have',
    ]);
  });

  it('are errors that the older version does not know', () => {
    const silent = change('answerNotFound', { touches: ['books:read.errors'] });
    expect(apiProblems(source([silent, requireScope, addLending]))).toEqual([
      'books:read answers 410 gone in 2026-07; from 2026-07 to 2026-04 it becomes 410 gone, which 2026-04 does not know: map it with downgradeError in the change set 2026-07-to-2026-04.',
    ]);
  });

  it('[outside2 28] are errors with a status that the older version has, but with other codes', () => {
    const halfway = change('answerNotFound', {
      touches: ['books:read.errors'],
      downgradeError: (error) => (error.code === 'gone' ? { ...error, status: 404 } : error),
    });
    expect(apiProblems(source([halfway, requireScope, addLending]))).toEqual([
      'books:read answers 410 gone in 2026-07; from 2026-07 to 2026-04 it becomes 404 gone, which 2026-04 does not know: map it with downgradeError in the change set 2026-07-to-2026-04.',
    ]);
  });

  it('[outside2 28] are change sets that are listed twice', () => {
    const documents = [oldest, older].map((version) => toOpenApi(contract(version, []), 'Library'));
    const step = { older: oldest, newer: older, changes: [] };
    expect(apiProblems({ documents, changeSets: [step, step] })).toEqual([
      'The change sets are listed as 2026-01, 2026-01; list them once each, oldest first.',
    ]);
  });

  it('are change sets that are missing or in the wrong order, and versions that are', () => {
    const documents = [oldest, older, newer].map((version) => toOpenApi(contract(version, []), 'Library'));
    const [first, second] = [
      { older: oldest, newer: older, changes: [] },
      { older, newer, changes: [] },
    ];
    expect(apiProblems({ documents, changeSets: [first, second] })).toEqual([]);
    expect(apiProblems({ documents, changeSets: [second] })).toEqual([
      'The changes from 2026-04 to 2026-01 are missing; add the change set 2026-04-to-2026-01, with an empty list if nothing changed.',
    ]);
    expect(apiProblems({ documents, changeSets: [second, first] })).toEqual([
      'The change sets are listed as 2026-04, 2026-01; list them once each, oldest first.',
    ]);
    expect(apiProblems({ documents: documents.filter((_, index) => index !== 1), changeSets: [] })).toEqual([
      'There is no contract between 2026-01 and 2026-07; versions follow each other by quarters.',
    ]);
  });
});

describe('an event downgraded to an older version', () => {
  const downgrade = (downgradeEvent: Required<Change>['downgradeEvent']) => {
    const changes = [...whole, change('renameEvent', { touches: ['books:lend'], downgradeEvent })];
    return compileApi(source(changes)).get(older)?.downgradeEvent;
  };
  const lent: EventFacts = { kind: 'book.lent', data: { days: 3 } };

  it('is the output of the changes, null where they drop it, and else unchanged', () => {
    const renamed = { 'book.lent': (event: EventFacts) => ({ ...event, kind: 'book.gone' }) };
    expect(downgrade(renamed)?.(lent)).toEqual({ kind: 'book.gone', data: { days: 3 } });
    expect(downgrade({ 'book.lent': () => null })?.(lent)).toBeNull();
    expect(downgrade({})?.(lent)).toEqual(lent);
  });

  it('[folder 16] leaves the event as it was where a change edits it in place', () => {
    const edit = ({ kind, data }: EventFacts) => ({ kind, data: Object.assign(data, { hours: 72 }) });
    expect(downgrade({ 'book.lent': edit })?.(lent)?.data).toEqual({ days: 3, hours: 72 });
    expect(lent.data).toEqual({ days: 3 });
  });
});
