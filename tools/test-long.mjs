// `npm run test:long`: what takes minutes. Crashes, and the whole suite on every Node we support.
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./run-long-checks.mjs').then(({ runLongChecks }) => runLongChecks());
