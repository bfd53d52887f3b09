// `npm run test:mutants [-- --room oauth]`: breaks the code in small ways, one at a time and in a copy, and looks whether a
// test notices.
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./mutants/run-mutants.mjs').then(({ runMutants }) => runMutants(process.argv.slice(2)));
