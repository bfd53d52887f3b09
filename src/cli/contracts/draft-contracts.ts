import { apiSteps, draftChanges } from '@dateline/versions';
import { reserved } from '../../api/compose/reserved.ts';
import { writeDraft } from '../../api/folder/draft/write-draft.ts';
import { examineFolder } from '../../api/folder/examine-folder.ts';
import { FolderError } from '../../api/folder/folder-problem.ts';
import { inFolder } from '../../api/folder/locations/locate-problems.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';

/** Writes a change for each difference of Next that none touches yet, with a question where only a person knows. */
export async function draftContracts(input: CommandInput): Promise<void> {
  const { output } = input;
  const folder = apiFolderOf(input);
  if (folder === null)
    throw new CommandError('There is no API folder to draft changes in: name one with --api.');
  const { source, fileProblems } = await inFolder(folder, () => examineFolder(folder, reserved()));
  if (fileProblems.length > 0) throw new FolderError(fileProblems);
  const step = apiSteps(source).find(({ newer }) => newer.version === source.next);
  if (!step) throw new CommandError(`There is no version before ${source.next} to draft changes from.`);
  const drafts = draftChanges(step);
  if (drafts.length === 0) {
    output.note('Nothing to draft: every difference has a change.');
    return;
  }
  const { file, remedy } = writeDraft(folder, step, drafts);
  const open = drafts.filter(({ isDecided }) => !isDecided).length;
  output.note(`${file}: ${counted(drafts.length - open, 'change')}, ${counted(open, 'open question')}.`);
  if (remedy)
    output.note([`Add it to ${remedy.file}:`, ...remedy.lines.map((line) => `  ${line}`)].join('\n'));
  output.note('Then run "dateline contract check".');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
