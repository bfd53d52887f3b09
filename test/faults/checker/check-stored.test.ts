import { describe, expect, it } from 'vitest';
import type { Operation } from '../clients/history.ts';
import { checkStored } from './check-stored.ts';
import type { Stored } from './stored.ts';
import { done, failed } from './written-history.ts';

const nothing: Stored = { tokens: new Set(), endpoints: [], occurrences: [], orders: [] };
const kindsIn = (operations: readonly Operation[], stored: Partial<Stored>): string[] =>
  checkStored(operations, { ...nothing, ...stored }).map(({ kind }) => kind);
const span = [0, 10] as const;

describe('a token that was issued', () => {
  it('is lost without a row', () => {
    const issued = done({ what: 'issue', token: 't' }, span);
    expect(kindsIn([issued], {})).toEqual(['lost']);
    expect(kindsIn([issued], { tokens: new Set(['t']) })).toEqual([]);
  });
});

describe('a create with a key', () => {
  const made = done({ what: 'create', key: 'k', id: 'one' }, span);

  it('is lost where its answer names what is not there', () => {
    expect(kindsIn([made], {})).toEqual(['lost']);
    expect(kindsIn([made], { endpoints: [{ id: 'other', key: 'k' }] })).toEqual(['lost']);
    expect(kindsIn([made, made], { endpoints: [{ id: 'one', key: 'k' }] })).toEqual([]);
  });

  it('is done twice where there are two, also if nobody was told', () => {
    const lost = failed({ what: 'create', key: 'k' }, span, { result: 'lost' });
    const endpoints = ['one', 'two'].map((id) => ({ id, key: 'k' }));
    expect(kindsIn([lost], { endpoints })).toEqual(['done twice']);
  });
});

describe('an event that was published', () => {
  const told = (occurrence: string): Operation =>
    done({ what: 'publish', events: [{ id: 'e', data: '{}', occurrence }] }, span);

  it('is lost where it is not stored as it was told', () => {
    expect(kindsIn([told('o1')], {})).toEqual(['lost']);
    expect(kindsIn([told('o1'), told('o2')], { occurrences: [{ id: 'o1', event: 'e' }] })).toEqual(['lost']);
  });

  it('is done twice where it is stored twice', () => {
    const occurrences = ['o1', 'o2'].map((id) => ({ id, event: 'e' }));
    expect(kindsIn([told('o1')], { occurrences })).toEqual(['done twice']);
  });
});

describe('an order', () => {
  const placed = done({ what: 'order', token: 't', note: 'n' }, span);

  it('is lost where the upstream does not have it, and done twice where it has it twice', () => {
    expect(kindsIn([placed], {})).toEqual(['lost']);
    expect(kindsIn([placed], { orders: ['n'] })).toEqual([]);
    expect(kindsIn([placed], { orders: ['n', 'n'] })).toEqual(['done twice']);
  });
});

describe('an answer', () => {
  it('is never 500, and refuses nothing that is right', () => {
    const broken = failed({ what: 'issue' }, span, { result: 'broken', status: 500 });
    const refused = failed({ what: 'issue' }, span, { result: 'refused', status: 401 });
    const away = failed({ what: 'issue' }, span, { result: 'unavailable', status: 503 });
    expect(kindsIn([broken, refused, away], {})).toEqual(['broken', 'falsely inactive']);
  });
});
