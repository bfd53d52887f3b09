import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The document of the operator API, as a service serves it that was started for this alone. */
export async function operatorDocument() {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-document-'));
  const service = spawn(process.execPath, [join(root, 'bin', 'dateline.mjs'), 'serve'], {
    env: { ...process.env, DATELINE_DATA_DIR: dataDir, DATELINE_PORT: '0', DATELINE_SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => service.once('close', resolve));
  try {
    const url = await Promise.race([
      readyUrl(service.stdout),
      ended.then(() => Promise.reject(new Error('the service did not start; "npm start" says why'))),
    ]);
    return await (await fetch(`${url}/operator/openapi.json`)).json();
  } finally {
    service.kill();
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function readyUrl(stdout) {
  return new Promise((resolve) => {
    let said = '';
    stdout.on('data', (chunk) => {
      said += chunk;
      const [, url] = /^ready sandbox (\S+)$/m.exec(said) ?? [];
      if (url) resolve(url);
    });
  });
}
