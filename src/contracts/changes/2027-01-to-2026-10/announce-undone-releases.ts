import { event } from '@dateline/versions';

export const announceUndoneReleases = event('api_version.release_undone').added({
  name: 'announceUndoneReleases',
  summary: 'The event api_version.release_undone is published when a release is taken back.',
  why: 'Whoever acted on api_version.released has to know that another version is Current again.',
  upgradeNote: 'Subscribe to api_version.release_undone if you subscribe to api_version.released.',
  examples: [
    {
      before: null,
      after: {
        event: 'api_version.release_undone',
        data: { version: '2027-01', current_version: '2026-10', deprecated_version: '2026-07' },
      },
    },
  ],
});
