import type { Change, PassageWatch } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { bridgeOf } from '../../versions/src/compile/bridge.ts';

type Parts = Pick<Change, 'upgradeRequest' | 'downgradeResponse' | 'downgradeStatus'>;

const change = (name: string, parts: Parts): Change => ({
  ...{ name, kind: 'changed', summary: name, why: '', upgradeNote: '', touches: [] },
  examples: [{ before: null, after: { event: 'none', data: {} } }],
  ...parts,
});

const older = change('older', {
  upgradeRequest: { read: ({ body }) => ({ body: { ...body, older: true } }) },
  downgradeResponse: { read: (body) => ({ ...body, older: true }) },
});
const newer = change('newer', {
  upgradeRequest: { read: ({ body }) => ({ body: { ...body, newer: true } }) },
  downgradeResponse: { read: (body) => ({ ...body, newer: true }) },
  downgradeStatus: { read: { 202: 200 } },
});
const untouched = change('untouched', { downgradeResponse: { other: (body) => body } });

const request = { params: {}, query: {}, headers: {}, body: {}, command: {} };
const context = { request, status: 202, extras: {} };

describe('a watch over the changes', () => {
  it('stands around each translation, up and down, in the order of the call', () => {
    const seen: string[] = [];
    const watch: PassageWatch = ({ change, direction, part }, value, translate) => {
      const after = translate(value);
      seen.push(`${direction} ${change.name} ${part} ${JSON.stringify(value) !== JSON.stringify(after)}`);
      return after;
    };
    const bridge = bridgeOf('read', [[older, untouched], [newer]], watch);
    expect(bridge.upgradeRequest?.(request).body).toEqual({ older: true, newer: true });
    expect(bridge.downgradeStatus?.(202)).toBe(200);
    expect(bridge.downgradeResponse?.({}, context)).toEqual({ newer: true, older: true });
    expect(seen).toEqual([
      ...['up older request true', 'up newer request true'],
      ...['down newer status true', 'down newer body true', 'down older body true'],
    ]);
  });

  it('changes nothing: what has nothing to translate stays null', () => {
    const watch: PassageWatch = (_passage, value, translate) => translate(value);
    for (const bridge of [
      bridgeOf('write', [[older], [newer]]),
      bridgeOf('write', [[older], [newer]], watch),
    ])
      expect(bridge).toMatchObject({ upgradeRequest: null, downgradeResponse: null, downgradeStatus: null });
  });
});

describe('the status that a change is told', () => {
  const told = (name: string, status = {}) =>
    change(name, {
      downgradeResponse: { read: (body, context) => ({ ...body, [name]: context.status }) },
      downgradeStatus: status,
    });

  it('is the one that the newer version of its own step has', () => {
    const steps = [
      [told('oldest')],
      [told('beside', { read: { 202: 200 } }), told('own')],
      [told('newest', { read: { 201: 202 } })],
    ];
    expect(bridgeOf('read', steps).downgradeResponse?.({}, { ...context, status: 201 })).toEqual({
      ...{ newest: 201, own: 202, beside: 202, oldest: 200 },
    });
  });
});
