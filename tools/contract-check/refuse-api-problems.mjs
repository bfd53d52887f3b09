// Run by the build, on what it has built: ends it with the sentences that `dateline contract check` has too.
import { apiProblems } from '@dateline/versions';
import { apiSource } from '../../dist/contracts/api.js';

const problems = apiProblems(apiSource());
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
