import { describe, expect, it } from 'vitest';
import { otherConsole } from '../../src/compose/other-console.ts';

const issuer = 'https://sandbox.example';
const open = { issuer: 'https://api.example', operatorUrl: null };
const apart = { issuer: 'https://api.example', operatorUrl: 'http://0.0.0.0:4002' };

describe('a console leads to that of the other environment', () => {
  it('by its public address, where that is public', () => {
    expect(otherConsole(open, { issuer, operatorUrl: null })).toBe(issuer);
    expect(otherConsole(apart, { issuer, operatorUrl: null })).toBe(issuer);
  });

  it('by its port on the same host, where both are apart: nobody reaches the address that it listens on', () => {
    expect(otherConsole(apart, { issuer, operatorUrl: 'http://0.0.0.0:4003' })).toBe(':4003');
    expect(otherConsole(apart, { issuer, operatorUrl: 'http://10.0.0.5' })).toBe(':80');
  });

  it('not at all from a public one to one that is apart', () => {
    expect(otherConsole(open, { issuer, operatorUrl: 'http://10.0.0.5:4003' })).toBeNull();
  });
});
