import { describe, expect, it } from 'vitest';
import { redirectUriProblem } from '../../src/oauth/clients/clients/client-terms.ts';

describe('a redirect URI', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/a/b?kept=yes',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:7000/callback',
    'http://[::1]/callback',
    'http://localhost/callback',
  ])('can be %s for any client', (uri) => {
    for (const kind of ['confidential', 'public', 'resource_server'] as const)
      expect(redirectUriProblem(uri, kind)).toBeNull();
  });

  it.each(['com.example.app:/callback', 'com.example.app://callback'])(
    'can be %s for a public client only (RFC 8252 §7.1)',
    (uri) => {
      expect(redirectUriProblem(uri, 'public')).toBeNull();
      expect(redirectUriProblem(uri, 'confidential')).toContain('only for a public client');
    },
  );

  it.each([
    ['', 'has characters'],
    ['callback', 'must be absolute'],
    ['//app.example.com/callback', 'must be absolute'],
    ['https:/app.example.com', 'must be absolute'],
    ['https:app.example.com', 'must be absolute'],
    ['https:///app.example.com', 'must be absolute'],
    ['http://app.example.com/callback', 'http is for loopback'],
    ['http://127.0.0.1.example.com/callback', 'http is for loopback'],
    ['http://localhost.example.com/callback', 'http is for loopback'],
    ['https://app.example.com/callback#', 'fragment'],
    ['https://*.example.com/callback', 'wildcard'],
    ['https://app.example.com/*', 'wildcard'],
    ['https://me:secret@app.example.com/', 'user name'],
    ['http://127.0.0.1@evil.example.com/', 'user name'],
    ['https://app.example.com/call back', 'characters'],
    ['https://app.example.com\\@evil.example.com', 'characters'],
    ['https://app.example.com/\u0000', 'characters'],
    ['https://bücher.example.com/', 'characters'],
    [' https://app.example.com/', 'characters'],
    ['javascript:alert(1)', 'with a dot'],
    ['data:text/html,x', 'with a dot'],
    ['myapp:/callback', 'with a dot'],
    ['file:///etc/passwd', 'with a dot'],
  ])('cannot be %j', (uri, why) => {
    expect(redirectUriProblem(uri, 'public')).toContain(why);
  });
});
