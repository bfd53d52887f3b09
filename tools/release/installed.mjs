// The packages as their users get them: installed from tarballs into an empty folder.
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm } from './packages.mjs';

/**
 * Installs the tarballs; what they depend on comes from the registry of npm's settings.
 * @param {string} folder empty
 * @param {readonly string[]} tarballs
 * @param {string} node the program to do it with, and to run what is installed
 */
export function installInto(folder, tarballs, node = process.execPath) {
  const env = environmentOf(node);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], folder, env);
  return {
    folder,
    env,
    dateline: join(folder, 'node_modules', '.bin', 'dateline'),
    readme: readFileSync(join(folder, 'node_modules', 'dateline', 'README.md'), 'utf8'),
  };
}

/** Only this Node is found, and nothing that `npm run` has put into the environment. */
function environmentOf(node) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|DATELINE_|NODE_)/.test(name),
  );
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  return { ...Object.fromEntries(inherited), PATH: path };
}

/**
 * Starts `dateline serve` in the folder on free ports, with its data in `.data`, and answers when both environments are ready.
 * @returns {Promise<{ pid: number, production: string, sandbox: string, stop(): Promise<number | null> }>}
 */
export async function serveInstalled({ folder, env, dateline }, { args = [], settings = {} } = {}) {
  const service = spawn(dateline, ['serve', ...args], {
    cwd: folder,
    env: { ...env, DATELINE_PORT: '0', DATELINE_SANDBOX_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => service.once('close', resolve));
  let said = '';
  service.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const stop = () => {
    service.kill();
    return ended;
  };
  const urls = await Promise.race([
    readyUrls(service.stdout),
    ended.then((code) => Promise.reject(new Error(`dateline serve ended with ${code}:\n${said}`))),
  ]);
  return { pid: service.pid, ...urls, stop };
}

function readyUrls(stdout) {
  return new Promise((resolve) => {
    let output = '';
    stdout.on('data', (chunk) => {
      output += chunk;
      const [production, sandbox] = ['production', 'sandbox'].map(
        (name) => new RegExp(`^ready ${name} (\\S+)$`, 'm').exec(output)?.[1],
      );
      if (production && sandbox) resolve({ production, sandbox });
    });
  });
}

/** The README's tour as a script for a service at these addresses. */
export function tourScript(readme, { production, sandbox, quickstart = './.data/quickstart.json' }) {
  const [, tour] = /```sh tour\n([\s\S]*?)```/.exec(readme) ?? [];
  if (tour === undefined) throw new Error('the README has no tour');
  return tour
    .replaceAll('./.data/quickstart.json', quickstart)
    .replaceAll('http://127.0.0.1:4000', production)
    .replaceAll('http://127.0.0.1:4001', sandbox);
}

/** Runs a script in bash as it stands, and returns its output; rejects with what was said where a command of it fails. */
export function runScript(script, { folder, env }) {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}
