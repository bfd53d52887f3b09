// `npm run release [-- --dry-run]`: packs what is published, tries it in an empty folder, and publishes it.
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./release/release.mjs').then(({ release }) => release(process.argv.slice(2)));
