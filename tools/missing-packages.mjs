// For `.ci/run`: the Debian packages of the programs that the tests need and do not find, one in a line.
import { missingPrograms } from './programs.mjs';

for (const { debianPackage } of missingPrograms()) console.log(debianPackage);
