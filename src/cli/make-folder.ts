import { initFolder } from '../api/folder/init-folder.ts';
import { createVersions } from '../compose/create-versions.ts';
import { systemClock } from '../kernel/clock.ts';
import type { CommandInput } from './command.ts';

/** Its versions are those of today, so that it can be served at once. */
export async function makeFolder({ argument, output, isSet }: CommandInput): Promise<void> {
  const { deprecated, current, next } = createVersions(systemClock).lifecycle();
  await initFolder(argument, { deprecated, current, isTypeScript: isSet('typescript') });
  output.note(
    `${argument} has a small API in the versions ${deprecated}, ${current} and ${next}. Next: cd ${argument}, and read README.md.`,
  );
}
