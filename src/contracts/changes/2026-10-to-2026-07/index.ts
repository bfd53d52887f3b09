import { apiVersion, type WrittenChangeSet } from '@dateline/versions';
import { addMetadata } from './add-metadata.ts';
import { lengthenNames } from './lengthen-names.ts';
import { replacePriceWithPrices } from './replace-price-with-prices.ts';
import { tellArchivingApart } from './tell-archiving-apart.ts';

export const changeSet: WrittenChangeSet = {
  newer: apiVersion('2026-10'),
  older: apiVersion('2026-07'),
  // On the way back the last comes first: an event gets its older kind only after its data has its older form.
  changes: [tellArchivingApart, replacePriceWithPrices, addMetadata, lengthenNames],
};
