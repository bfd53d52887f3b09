import { type ApiSource, apiVersion, type Change, type Json } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { readOwnContract } from '../../src/own-api/own-contract.ts';
import { ownTapeProblems, recordOwnTape } from '../../src/own-api/own-tape.ts';

const [oldest, older, newest] = [apiVersion('2026-01'), apiVersion('2026-04'), apiVersion('2026-07')];

/** An order has cents in the oldest version, and a price since. */
function documentOf(version: string): Json {
  const field = version === oldest ? 'cents' : 'price';
  const order = {
    type: 'object',
    required: [field],
    properties: { [field]: { type: 'integer', example: 250 } },
  };
  const content = { 'application/json': { schema: order } };
  return {
    openapi: '3.1.0',
    info: { title: 'Orders', version },
    security: [],
    paths: {
      '/orders': {
        post: {
          operationId: 'orders:create',
          requestBody: { required: true, content },
          responses: { 201: { description: 'Made.', content } },
        },
      },
    },
    webhooks: {
      'order.placed': {
        post: { requestBody: { required: true, content }, responses: { 204: { description: 'Taken.' } } },
      },
    },
  };
}

function replaceCentsWithPrice(factor: number): Change {
  const down = ({ price, ...order }: Json): Json => ({ ...order, cents: Number(price) * factor });
  return {
    ...{ name: 'replaceCentsWithPrice', kind: 'changed', says: 'It.', why: 'So.', upgradeNote: 'Do.' },
    examples: [{ before: null, after: null }],
    touches: ['orders:**', 'order.**'],
    upgradeRequest: {
      'orders:create': (request) => ({ ...request, body: { price: Number(request.body.cents) / factor } }),
    },
    downgradeResponse: { 'orders:create': down },
    downgradeEvent: { 'order.placed': (event) => ({ ...event, data: down(event.data) }) },
  };
}

const sourceWith = (factor: number): ApiSource => ({
  documents: [oldest, older, newest].map(documentOf),
  changeSets: [
    { newer: older, older: oldest, changes: [replaceCentsWithPrice(factor)] },
    { newer: newest, older, changes: [] },
  ],
  read: (document) => readOwnContract(document, 'contract.json'),
});

describe('the tape of a frozen version of a folder', () => {
  const tape = recordOwnTape(sourceWith(10), older);

  it('holds requests, answers and events as older versions have them', () => {
    const bodies = Object.fromEntries(tape.exchanges.map(({ name, answer }) => [name, answer.body]));
    expect(bodies).toMatchObject({
      'a request to orders:create of 2026-01': { body: { price: 25 } },
      'an answer 201 of orders:create in 2026-01': { cents: 2_500 },
      'an answer 201 of orders:create in 2026-04': { price: 250 },
      'the event order.placed in 2026-01': { data: { cents: 2_500 } },
    });
  });

  it('replays for as long as nothing was edited, whatever came after that version', () => {
    expect(ownTapeProblems(tape, sourceWith(10), 'tape.json')).toEqual([]);
  });

  it('notices an edit of what frozen versions are translated with, at its place', () => {
    const problems = ownTapeProblems(tape, sourceWith(100), 'tape.json');
    expect(problems.map(({ path }) => path).sort()).toEqual([
      '"a request to orders:create of 2026-01" answer.body.body.price',
      '"an answer 201 of orders:create in 2026-01" answer.body.cents',
      '"the event order.placed in 2026-01" answer.body.data.cents',
    ]);
    expect(problems[0]?.reason).toContain('what frozen versions answer never changes');
  });

  it('says nothing of versions that were removed since', () => {
    const { documents, changeSets, ...rest } = sourceWith(100);
    const left = { ...rest, documents: documents.slice(1), changeSets: changeSets.slice(1) };
    expect(ownTapeProblems(tape, left, 'tape.json')).toEqual([]);
  });
});
