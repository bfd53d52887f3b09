import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/** What publint and arethetypeswrong find in a package, packed and installed, besides what it is expected to be. */
export async function packageProblems(
  { installed, tarball }: { installed: string; tarball: string },
  expected: readonly string[] = [],
): Promise<object[]> {
  const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  const problems = 'problems' in analysis ? analysis.problems : [{ kind: 'no types at all' }];
  return [...messages, ...problems.filter(({ kind }) => !expected.includes(kind))];
}
