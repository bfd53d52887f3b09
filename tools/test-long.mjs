// `npm run test:long [-- part …]`: what takes minutes. Crashes, releases in a row, both databases, every Node we support.
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./run-long-checks.mjs').then(({ runLongChecks }) => runLongChecks(process.argv.slice(2)));
