// `npm test`: sets up, checks types and style, runs every test, and ends with a line that counts them.
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./run-checks.mjs').then(({ runChecks }) => runChecks(process.argv.slice(2)));
