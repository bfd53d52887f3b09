import type { Change } from '@dateline/versions';

export const addLeakReports: Change = {
  name: 'addLeakReports',
  kind: 'added',
  summary: 'POST /v1/oauth2/report-leak revokes a token, code or client secret that has leaked.',
  why: 'A leaked secret can be revoked at once, without knowing its owner.',
  upgradeNote: 'Nothing to do. The answer is the same whether the token was known or not.',
  examples: [{ before: null, after: { request: 'POST /v1/oauth2/report-leak', body: { token: 'dl_at_…' } } }],
  touches: ['oauth2:report_leak'],
};
