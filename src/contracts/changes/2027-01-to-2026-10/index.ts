import { apiVersion, type ChangeSet } from '@dateline/versions';
import { addBulkTokenOperations } from './add-bulk-token-operations.ts';
import { addLeakReports } from './add-leak-reports.ts';
import { addProductDeletion } from './add-product-deletion.ts';
import { addUsageBilling } from './add-usage-billing.ts';
import { answerGoneForDeletedProducts } from './answer-gone-for-deleted-products.ts';
import { describeErrorsAsProblemDetails } from './describe-errors-as-problem-details.ts';
import { limitMetadataKeys } from './limit-metadata-keys.ts';
import { limitTokensToTheirOwnGrant } from './limit-tokens-to-their-own-grant.ts';
import { listByCursor } from './list-by-cursor.ts';
import { refuseInvisibleCharactersInClientNames } from './refuse-invisible-characters-in-client-names.ts';
import { removeArchiveOperation } from './remove-archive-operation.ts';
import { replaceIsArchivedWithVisibility } from './replace-is-archived-with-visibility.ts';
import { requireProductsReadScope } from './require-products-read-scope.ts';
import { requireRegistrationTokens } from './require-registration-tokens.ts';

export const changeSet: ChangeSet = {
  newer: apiVersion('2027-01'),
  older: apiVersion('2026-10'),
  changes: [
    // First, so that what happens to updates happens to archiving too.
    removeArchiveOperation,
    replaceIsArchivedWithVisibility,
    listByCursor,
    requireProductsReadScope,
    limitTokensToTheirOwnGrant,
    requireRegistrationTokens,
    refuseInvisibleCharactersInClientNames,
    describeErrorsAsProblemDetails,
    answerGoneForDeletedProducts,
    limitMetadataKeys,
    addUsageBilling,
    addProductDeletion,
    addBulkTokenOperations,
    addLeakReports,
  ],
};
