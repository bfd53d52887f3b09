import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenApiDocument, partAt } from '@dateline/versions';
import { onTestFinished } from 'vitest';
import { foundAgain } from '../../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../../src/api/folder/init-folder.ts';
import { current, deprecated, next } from '../service/build-versions.ts';

type Part = Readonly<Record<string, unknown>>;

/** What a person decides about a document: who may call what, and where it stands. */
export function decisionsOf(document: OpenApiDocument) {
  const schemes = Object.entries(partAt(document, 'components', 'securitySchemes') ?? {});
  const scopes = schemes.flatMap(([name]) => {
    const flows = Object.values(
      (partAt(document, 'components', 'securitySchemes', name, 'flows') ?? {}) as Part,
    );
    return flows.flatMap((flow) => Object.keys(((flow as Part).scopes ?? {}) as Part));
  });
  return {
    scopes: Object.fromEntries(scopes.map((scope) => [scope, { consent: scope, organization: true }])),
    security: Object.fromEntries(
      schemes
        .filter(([, scheme]) => (scheme as Part).type !== 'oauth2')
        .map(([name]) => [name, { scopes: [] }]),
    ),
    open: '*',
    ...(clashes(document) ? { mount: MOUNT } : {}),
  };
}

const MOUNT = '/api';

/** True where it has paths that are ours. */
function clashes({ paths }: OpenApiDocument): boolean {
  return ['/', '/versions'].some((path) => Object.hasOwn(paths as Part, path));
}

/** A folder whose frozen versions are the document as it was found, and whose Next is the edited one, with its modules. */
export async function folderOf(
  document: OpenApiDocument,
  edited: OpenApiDocument,
  modules: readonly string[],
  config: object,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-real-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await initFolder(folder, { deprecated, current });
  const write = (of: OpenApiDocument): void => {
    const dated = { ...of, info: { ...(of.info as Part), version: next } };
    writeFileSync(join(folder, 'contract/next.yaml'), JSON.stringify(dated));
  };
  writeConfig(folder, { name: 'Real' }, config, 'http://127.0.0.1:9');
  write(document);
  await foundAgain(folder);
  write(edited);
  writeFileSync(
    join(folder, `contract/changes/${next}-to-${current}/index.mjs`),
    `export const changes = [${modules.join(',\n')}];`,
  );
  return folder;
}

export function writeConfig(
  folder: string,
  { name }: { name: string },
  config: object,
  address: string,
): void {
  const { port } = new URL(address);
  const upstream = {
    production: `http://127.0.0.1:${port}`,
    sandbox: `http://localhost:${port}`,
    audience: 'https://real.example',
  };
  writeFileSync(
    join(folder, 'dateline.config.mjs'),
    `export default ${JSON.stringify({ title: name, upstream, ...config })};`,
  );
}
