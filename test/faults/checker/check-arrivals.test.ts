import { describe, expect, it } from 'vitest';
import type { Arrival } from '../clients/history.ts';
import { checkArrivals } from './check-arrivals.ts';
import { done, failed } from './written-history.ts';

const event = { id: 'e', data: '{"id":"e"}' };
const told = done({ what: 'publish', events: [{ ...event, occurrence: 'o' }] }, [0, 10]);
const arrival: Arrival = {
  receiver: 'r1',
  atMs: 20,
  id: 'evt_1',
  event: 'e',
  digest: 'd',
  data: event.data,
  isTaken: true,
};
const kindsIn = (arrivals: readonly Arrival[], operations = [told]): string[] =>
  checkArrivals({ operations, arrivals: [...arrivals] }, ['r1']).map(({ kind }) => kind);

describe('an acknowledged event', () => {
  it('is lost where it never arrives, or is never taken', () => {
    expect(kindsIn([])).toEqual(['lost']);
    expect(kindsIn([{ ...arrival, isTaken: false }])).toEqual(['lost']);
    expect(kindsIn([arrival])).toEqual([]);
  });

  it('may arrive again with the same id and bytes', () => {
    expect(kindsIn([arrival, { ...arrival, atMs: 30 }])).toEqual([]);
  });

  it('is altered under another id, or with other bytes', () => {
    expect(kindsIn([arrival, { ...arrival, id: 'evt_2' }])).toEqual(['altered']);
    expect(kindsIn([arrival, { ...arrival, digest: 'other' }])).toEqual(['altered']);
  });

  it('is altered with data that was not published', () => {
    expect(kindsIn([{ ...arrival, data: '{"id":"e","more":1}' }])).toEqual(['altered']);
    expect(kindsIn([arrival, { ...arrival, event: 'f', id: 'evt_2' }])).toEqual(['altered']);
  });
});

describe('a failover', () => {
  const again = { ...arrival, id: 'evt_2', atMs: 60 };
  const late = done({ what: 'publish', events: [{ ...event, occurrence: 'o' }] }, [50, 55]);
  const kindsAfter = (arrivals: readonly Arrival[], operations = [late]): string[] =>
    checkArrivals({ operations, arrivals: [...arrivals] }, ['r1'], [{ beganMs: 30, endedMs: 40 }]).map(
      ({ kind }) => kind,
    );

  it('may undo an event of which nobody was told, and that came already', () => {
    expect(kindsAfter([arrival, again])).toEqual([]);
    expect(kindsAfter([arrival, again, { ...again, atMs: 70 }])).toEqual([]);
  });

  it('excuses no other second id', () => {
    expect(kindsAfter([arrival, again], [told])).toEqual(['altered']);
    expect(kindsAfter([{ ...arrival, atMs: 45 }, again])).toEqual(['altered']);
  });
});

describe('an event of which nobody was told', () => {
  it('may arrive or not', () => {
    const lost = failed({ what: 'publish', events: [event] }, [0, 10], { result: 'lost' });
    expect(kindsIn([], [lost])).toEqual([]);
    expect(kindsIn([arrival], [lost])).toEqual([]);
  });
});
