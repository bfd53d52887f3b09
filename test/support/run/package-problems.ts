import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/** Findings of publint and arethetypeswrong in a packed and installed package, without the expected ones. */
export async function packageProblems(
  { installed, tarball }: { installed: string; tarball: string },
  expected: readonly string[] = [],
): Promise<object[]> {
  const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  const problems = 'problems' in analysis ? analysis.problems : [{ kind: 'no types at all' }];
  return [...messages, ...problems.filter(({ kind }) => !expected.includes(kind))];
}
