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
  const onSignal = () => queue.splice(0);
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const walk = async () => {
    let lane = openLane(scratch, env);
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
        await lane.ready;
        await work(lane, item);
        if (lane.isOpen()) continue;
        await lane.close();
        lane = openLane(scratch, env);
      }
    } finally {
      await lane.close();
    }
  };
  await Promise.all(items.slice(0, 2).map(walk));
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
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
  let isStuck = false;
  const ready = answer();
  return {
    folder,
    ready,
    isOpen: () => !isStuck,
    async ask(question) {
      if (isStuck) throw new Error(`The test runner in ${folder} has ended.`);
      child.send(question);
      // One that has ended by itself says as little about the mutant as one that does not come back.
      const given = await answer().catch(() => ({ failed: [], timedOut: false, isStuck: true }));
      isStuck = given.isStuck;
      return given;
    },
    async close() {
      if (child.connected) child.disconnect();
      await exit;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
