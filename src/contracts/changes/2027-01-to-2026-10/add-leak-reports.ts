import { operation } from '@dateline/versions';

export const addLeakReports = operation('oauth2:report_leak').added({
  name: 'addLeakReports',
  summary: 'POST /v1/oauth2/report-leak revokes a token, code or client secret that has leaked.',
  why: 'A leaked secret can be revoked at once, without knowing its owner.',
  upgradeNote: 'Nothing to do. The answer is the same whether the token was known or not.',
  examples: [{ before: null, after: { request: 'POST /v1/oauth2/report-leak', body: { token: 'dl_at_…' } } }],
});
