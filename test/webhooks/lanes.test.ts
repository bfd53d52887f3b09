import { expect, it } from 'vitest';
import { createLanes } from '../../src/webhooks/deliveries/lanes.ts';
import type { EndpointId } from '../../src/webhooks/types.ts';

it('an organization that has all the places it may have gives them back after their slice of time, for its other endpoints', () => {
  const lanes = createLanes({
    inFlightMax: 10,
    inFlightPerOrganizationMax: 10,
    inFlightPerEndpointMax: 1,
    lanesMax: 10,
    lanesPerOrganizationMax: 2,
    idleMs: 60_000,
    sliceMs: 1_000,
  });
  const lane = (organizationId: string, endpointId: string) => ({
    organizationId,
    endpointId: endpointId as EndpointId,
    failing: false,
    maxPerSecond: null,
  });
  lanes.add([lane('small', 'a'), lane('large', 'b')], 0);
  expect(lanes.isCrowded()).toBe(false);
  lanes.add([lane('large', 'c')], 0);
  expect(lanes.isCrowded()).toBe(true);
  expect(lanes.idle(999)).toEqual([]);
  expect(lanes.idle(1_000).map(({ endpointId }) => endpointId)).toEqual(['b', 'c']);
  expect(lanes.wanted(1_000).map(({ endpointId }) => endpointId)).toEqual(['a']);
});
