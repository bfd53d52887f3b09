#!/usr/bin/env node
// Starts the command line. In a clone it first installs and builds what is missing; an installed package has it all.
// Old syntax on purpose: see check-node.mjs.
import { existsSync } from 'node:fs';
import { exitIfNodeIsTooOld } from '../tools/check-node.mjs';

exitIfNodeIsTooOld();
// What is built lies in few large files; stacks name the sources all the same.
process.setSourceMapsEnabled(true);
// A worker runs what the first process runs, also when the sources have changed since.
const isWorker = process.env.NODE_UNIQUE_ID !== undefined;
const inClone = !isWorker && existsSync(new URL('../src', import.meta.url));
const args = process.argv.slice(2);
const isService = ['serve', 'worker'].includes(args[0]);
if (isService && !isWorker) boundYoungGeneration();

// Whoever reads the output may stop reading (`| head -1`): as other programs do, end with what SIGPIPE means to a shell, and
// say nothing. The service does not end for that; what nobody handles goes the way of every other error.
const SIGPIPE_CODE = 141;
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE' || isService) throw error;
    process.exit(SIGPIPE_CODE);
  });

void (inClone ? setUp() : Promise.resolve(new URL('../dist/', import.meta.url).href))
  .then((built) => import(`${built}cli/dateline.js`))
  .then(({ dateline }) =>
    dateline(args, process.env, {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    }),
  )
  .then((exitCode) => {
    process.exitCode = exitCode;
  });

/**
 * Becomes a Node whose young generation is bounded as by `npm start` (docs/operating.md, The runtime): that is settled at the start of a
 * process. Older Nodes, which cannot do this, have that bound anyway. Whoever started this process with a channel to it would lose that.
 */
function boundYoungGeneration() {
  const name = 'max-semi-space-size';
  const isSettled = `${process.execArgv} ${process.env.NODE_OPTIONS}`.replaceAll('_', '-').includes(name);
  if (isSettled || process.connected || process.platform === 'win32' || !process.execve) return;
  const nodeArgs = [...process.execArgv, `--${name}=16`, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...nodeArgs], process.env);
}

/** Answers with the folder that holds what is built. */
function setUp() {
  return import('../tools/setup.mjs').then((module) => {
    // Contracts are checked in a tree that may not build, and that is not built for it.
    if (args[0] !== 'contract' || args[1] !== 'check' || module.isSetUp()) return module.setup();
    return import('../tools/contract-check/build-contracts.mjs').then(({ buildContracts }) =>
      buildContracts(),
    );
  });
}
