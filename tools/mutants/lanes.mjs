import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from './copy-tree.mjs';

/**
 * Does the work of a list with two copies of the tree at once, each with a test runner.
 * @template Item
 * @param {string} scratch
 * @param {readonly Item[]} items
 * @param {(lane: { folder: string, ask(question: object): Promise<object> }, item: Item) => Promise<void>} work
 * @param {Record<string, string>} [env]
 */
export async function inTwoLanes(scratch, items, work, env = {}) {
  const queue = [...items];
  const lanes = items.slice(0, 2).map(() => openLane(scratch, env));
  const close = () => Promise.all(lanes.map((lane) => lane.close()));
  const onSignal = () => queue.splice(0);
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        await lane.ready;
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(lane, item);
      }),
    );
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await close();
  }
}

function openLane(scratch, env) {
  const folder = mkdtempSync(join(scratch, 'tree-'));
  copyTree(folder);
  const child = fork(join(folder, 'tools', 'mutants', 'lane.mjs'), {
    cwd: folder,
    env: { ...process.env, TMPDIR: scratch, ...env },
    // A signal from the keyboard is for the parent alone, which lets the lane stop its database.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const answer = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      void exit.then((code) => reject(new Error(`The test runner in ${folder} ended with ${code}.`)));
    });
  return {
    folder,
    ready: answer(),
    ask(question) {
      child.send(question);
      return answer();
    },
    async close() {
      if (child.connected) child.disconnect();
      await exit;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
