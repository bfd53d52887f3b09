import type { Change, EventFacts } from '@dateline/versions';

export const markRehearsals: Change = {
  name: 'markRehearsals',
  kind: 'added',
  summary: 'Events about releases say in rehearsal whether the release is only tried out, as in the sandbox.',
  why: 'A rehearsal is undone again; nobody should upgrade because of one.',
  upgradeNote: 'Nothing to do. Where you act on these events, ignore those with "rehearsal": true.',
  examples: [
    {
      before: { event: 'api_version.released', data: { version: '2027-01' } },
      after: { event: 'api_version.released', data: { version: '2027-01', rehearsal: true } },
    },
  ],
  touches: [
    'api_version.released.**.rehearsal',
    'api_version.released.**.required',
    'api_version.removal_notice.**.rehearsal',
    'api_version.removal_notice.**.required',
    'webhook_endpoint.version_moved.**.rehearsal',
    'webhook_endpoint.version_moved.**.required',
  ],
  downgradeEvent: {
    'api_version.released': withoutRehearsal,
    'api_version.removal_notice': withoutRehearsal,
    'webhook_endpoint.version_moved': withoutRehearsal,
  },
};

function withoutRehearsal({ kind, data: { rehearsal: _, ...data } }: EventFacts): EventFacts {
  return { kind, data };
}
