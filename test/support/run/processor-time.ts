/** The compared work: the same on two inputs of about the same size. */
export interface Rivals {
  plain(): Promise<unknown>;
  worst(): Promise<unknown>;
}

/**
 * The processor time of the worst input as a multiple of the plain one's, in this process. Runs both in turn and takes
 * the best round of each: other load makes a round longer, never shorter. Ends early at what is no doubt too much.
 */
export async function timesAsLong({ plain, worst }: Rivals, rounds = 6): Promise<number> {
  let [bestPlain, bestWorst] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    bestPlain = Math.min(bestPlain, await processorTime(plain));
    bestWorst = Math.min(bestWorst, await processorTime(worst));
    if (round > 0 && bestWorst / bestPlain > 100) break;
  }
  return bestWorst / bestPlain;
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
