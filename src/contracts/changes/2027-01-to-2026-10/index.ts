import { apiVersion, type WrittenChangeSet } from '@dateline/versions';
import { acceptOfflineAccess } from './accept-offline-access.ts';
import { addBulkTokenOperations } from './add-bulk-token-operations.ts';
import { addIdTokenHints } from './add-id-token-hints.ts';
import { addLeakReports } from './add-leak-reports.ts';
import { addPostedAuthorizationRequests } from './add-posted-authorization-requests.ts';
import { addPreferredUsernames } from './add-preferred-usernames.ts';
import { addProductDeletion } from './add-product-deletion.ts';
import { addReasonsOfDisabledEndpoints } from './add-reasons-of-disabled-endpoints.ts';
import { addUsageBilling } from './add-usage-billing.ts';
import { announceUndoneReleases } from './announce-undone-releases.ts';
import { answerGoneForDeletedProducts } from './answer-gone-for-deleted-products.ts';
import { describeErrorsAsProblemDetails } from './describe-errors-as-problem-details.ts';
import { letConfidentialClientsDoWithoutPkce } from './let-confidential-clients-do-without-pkce.ts';
import { limitMetadataKeys } from './limit-metadata-keys.ts';
import { limitTokensToTheirOwnGrant } from './limit-tokens-to-their-own-grant.ts';
import { listByCursor } from './list-by-cursor.ts';
import { markRehearsals } from './mark-rehearsals.ts';
import { markTestEvents } from './mark-test-events.ts';
import { putNamesIntoIdTokens } from './put-names-into-id-tokens.ts';
import { refuseInvisibleCharactersInClientNames } from './refuse-invisible-characters-in-client-names.ts';
import { refuseUnknownQueryParameters } from './refuse-unknown-query-parameters.ts';
import { removeArchiveOperation } from './remove-archive-operation.ts';
import { replaceIsArchivedWithVisibility } from './replace-is-archived-with-visibility.ts';
import { requireProductsReadScope } from './require-products-read-scope.ts';
import { requireRegistrationTokens } from './require-registration-tokens.ts';
import { requireScopesToSubscribe } from './require-scopes-to-subscribe.ts';
import { showMakersOfEndpoints } from './show-makers-of-endpoints.ts';
import { signIdTokensWithRs256 } from './sign-id-tokens-with-rs256.ts';
import { takeClientCredentialsInTheHeader } from './take-client-credentials-in-the-header.ts';

export const changeSet: WrittenChangeSet = {
  newer: apiVersion('2027-01'),
  older: apiVersion('2026-10'),
  changes: [
    // First, so that what happens to updates happens to archiving too.
    removeArchiveOperation,
    replaceIsArchivedWithVisibility,
    listByCursor,
    requireProductsReadScope,
    limitTokensToTheirOwnGrant,
    acceptOfflineAccess,
    signIdTokensWithRs256,
    putNamesIntoIdTokens,
    addPreferredUsernames,
    requireRegistrationTokens,
    takeClientCredentialsInTheHeader,
    letConfidentialClientsDoWithoutPkce,
    addPostedAuthorizationRequests,
    addIdTokenHints,
    refuseInvisibleCharactersInClientNames,
    describeErrorsAsProblemDetails,
    answerGoneForDeletedProducts,
    limitMetadataKeys,
    addUsageBilling,
    addProductDeletion,
    addBulkTokenOperations,
    addLeakReports,
    announceUndoneReleases,
    markRehearsals,
    requireScopesToSubscribe,
    showMakersOfEndpoints,
    addReasonsOfDisabledEndpoints,
    markTestEvents,
    refuseUnknownQueryParameters,
  ],
};
