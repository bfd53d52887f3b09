import { describeInLongRunsWith } from '../support/run/needs.ts';
import { itProtectsAnApi } from './apache-resource-server.ts';
import { useReleasedService } from './released-service.ts';

describeInLongRunsWith('modOauth2', 'mod_oauth2, with HTTP Basic', (path) => {
  itProtectsAnApi(useReleasedService(), {
    path,
    module: 'oauth2',
    block: 'mod_oauth2',
    uncached: '&expiry=0',
    claimPrefix: 'oauth2_claim_',
  });
});
