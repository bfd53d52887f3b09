import { apiVersion, type ChangeSet } from '@dateline/versions';
import { addMetadata } from './add-metadata.ts';
import { lengthenNames } from './lengthen-names.ts';
import { publishArchivingSeparately } from './publish-archiving-separately.ts';
import { replacePriceWithPrices } from './replace-price-with-prices.ts';

export const changeSet: ChangeSet = {
  newer: apiVersion('2026-10'),
  older: apiVersion('2026-07'),
  // On the way back the last comes first: an event gets its older kind only after its data has its older form.
  changes: [publishArchivingSeparately, replacePriceWithPrices, addMetadata, lengthenNames],
};
