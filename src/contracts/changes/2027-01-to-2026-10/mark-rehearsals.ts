import { at } from '@dateline/versions';

export const markRehearsals = at('api_version.**', 'webhook_endpoint.version_moved')
  .field('rehearsal')
  .added({
    name: 'markRehearsals',
    summary:
      'Events about releases say in rehearsal whether the release is only tried out, as in the sandbox.',
    why: 'A rehearsal is undone again; nobody should upgrade because of one.',
    upgradeNote: 'Nothing to do. Where you act on these events, ignore those with "rehearsal": true.',
    examples: [
      {
        before: { event: 'api_version.released', data: { version: '2027-01' } },
        after: { event: 'api_version.released', data: { version: '2027-01', rehearsal: true } },
      },
    ],
  });
