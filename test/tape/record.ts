import {
  type ApiVersion,
  type Ask,
  type CompiledVersion,
  compileApi,
  parseApiVersion,
  recordingProblem,
  type Tape,
} from '@dateline/versions';
import { readFrozenFiles, writeTape } from '../../src/api/folder/freeze/frozen-files.ts';
import { CommandError } from '../../src/cli/command-error.ts';
import { frozenIn } from '../../src/cli/contracts/our-frozen.ts';
import { apiSource } from '../../src/contracts/api.ts';
import { forBoth } from '../../src/environments/open-environments.ts';
import { openPGlite } from '../../src/storage/pglite.ts';
import { forbiddenAnswers, unexpectedAnswers } from './check-answers.ts';
import { gapsIn } from './coverage.ts';
import { play } from './player.ts';
import { replayProblems } from './replay.ts';
import { scriptOf } from './scripts.ts';
import type { OpenDatabases } from './stage.ts';
import type { Step } from './step.ts';

/**
 * Records the tape of a frozen version and writes its hash into the lock. It is recorded only once: so it must be
 * complete, correct, and the same when it is played again.
 */
export async function recordTape(root: string, version: string, openDatabases: OpenDatabases): Promise<Tape> {
  const problem = recordingProblem(version, readFrozenFiles(frozenIn(root)).lock);
  if (problem) throw new CommandError(problem);
  const compiled = compileApi(apiSource()).get(parseApiVersion(version) as ApiVersion);
  if (!compiled)
    throw new CommandError(`this build does not hold the contract of ${version}; build it anew.`);
  const tape = await playScript(compiled, openDatabases);
  refuse(replayProblems(tape, await play(compiled.version, tape.exchanges, openDatabases)));
  writeTape(frozenIn(root), tape);
  return tape;
}

/** The tape of a version as its script plays it; refused where it has a gap, or an answer that was not to be. */
export async function playScript(compiled: CompiledVersion, openDatabases: OpenDatabases): Promise<Tape> {
  const { contract, version } = compiled;
  const script = scriptOf(contract);
  const played = await play(version, script.map(withoutOutcome), openDatabases);
  const tape: Tape = { version, exchanges: played.map(({ exchange }) => exchange) };
  refuse([
    ...unexpectedAnswers(script, played),
    ...forbiddenAnswers(compiled, played),
    ...gapsIn(contract, tape.exchanges).map((gap) => `no step shows ${gap}`),
  ]);
  return tape;
}

/** `npm run tape -- <version>` */
export async function main([version]: readonly string[], root: string): Promise<string> {
  if (version === undefined) throw new CommandError('Name the version: npm run tape -- YYYY-MM');
  const { exchanges } = await recordTape(root, version, openInMemory);
  return `Recorded the tape of ${version}: ${exchanges.length} exchanges. Commit src/contracts/frozen/ alone.`;
}

const openInMemory: OpenDatabases = async () => {
  const embedded = await openPGlite({ folder: null });
  const databases = await forBoth(async (name) => embedded.database(`dateline_${name}`));
  return {
    open: async (name) => databases[name],
    async close() {
      for (const database of Object.values(databases)) await database.close();
    },
  };
};

export function withoutOutcome({ answers: _answers, ...ask }: Step): Ask {
  return ask;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new CommandError(`Nothing is recorded:\n${problems.join('\n')}`);
}
