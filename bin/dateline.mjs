#!/usr/bin/env node
// Starts the command line. In a clone it first installs and builds what is missing; an installed package has it all.
// Old syntax on purpose: see check-node.mjs.
import { existsSync } from 'node:fs';
import { exitIfNodeIsTooOld } from '../tools/check-node.mjs';

exitIfNodeIsTooOld();
// A worker runs what the first process runs, also when the sources have changed since.
const isWorker = process.env.NODE_UNIQUE_ID !== undefined;
const inClone = !isWorker && existsSync(new URL('../src', import.meta.url));
const ready = inClone ? import('../tools/setup.mjs').then((module) => module.setup()) : Promise.resolve();
void ready
  .then(() => import('../dist/cli/dateline.js'))
  .then(({ dateline }) =>
    dateline(process.argv.slice(2), process.env, {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    }),
  )
  .then((exitCode) => {
    process.exitCode = exitCode;
  });
