import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { typeProblems } from '../support/run/type-problems.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: object;
}

const FOLDER = 'deploy/kubernetes';
const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document): Manifest => document.toJS()),
);
const each = manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const);

const { installJudges } = (await import('../../tools/install-judges.mjs' as string)) as {
  installJudges(): string;
};
const modules = installJudges();
const require = createRequire(join(modules, 'any.js'));
const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

describe('the manifests, by the schemas of Kubernetes', () => {
  it.each(each)('%s %s is valid', (kind, _name, manifest) => {
    const { [kind]: Model } = require(moduleOf(manifest));
    new Model(manifest).validate();
    expect(() => new Model({ ...manifest, spec: 'wrong', metadata: 'wrong' }).validate()).toThrow();
  });

  it('have no field that the schemas do not have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-manifests-'));
    symlinkSync(modules, join(folder, 'node_modules'));
    const programOf = (manifest: Manifest) =>
      `import type { I${manifest.kind} } from '${moduleOf(manifest)}';\nexport const manifest: I${manifest.kind} = ${JSON.stringify(manifest, null, 2)};\n`;
    for (const [kind, name, manifest] of each)
      writeFileSync(join(folder, `${kind}-${name}.cts`), programOf(manifest));
    expect(typeProblems(folder)).toEqual([]);
    const [, , first] = each[0] ?? [];
    writeFileSync(join(folder, 'wrong.cts'), programOf({ ...first, unknown: true } as unknown as Manifest));
    expect(typeProblems(folder)).toEqual([expect.stringMatching(/unknown.* does not exist in type 'I/)]);
    rmSync(folder, { recursive: true, force: true });
  });
});
