import { pointerBelow, valueBelow } from './json-pointer.ts';
import { isReferenceText, readReference } from './openapi-reference.ts';
import { isPart } from './plain-data.ts';

/**
 * The files that a parsed file refers to, for whoever loads them. What a file is cannot be told before it is known
 * who refers to it, so an example that holds a `$ref` counts too: a file that is not there is to be left out, and
 * `bundleOpenApi` says whether it is needed.
 */
export function referencedFiles(path: string, parsed: unknown): string[] {
  const references = referenceTexts(parsed).map((text) => readReference(text, path));
  const files = references.flatMap((reference) => (typeof reference === 'string' ? [] : [reference.file]));
  return [...new Set(files)].filter((file) => file !== path).sort();
}

/** All references in a value, with those that discriminators make. */
export function referenceTexts(root: unknown): string[] {
  const texts: unknown[] = [];
  // A set, since parsed YAML may hold a thing twice, or contain itself.
  const known = new Set<unknown>([root]);
  for (const value of known) {
    if (typeof value !== 'object' || value === null) continue;
    texts.push(valueBelow(value, '$ref'), ...mappingTexts(value));
    for (const item of Object.values(value)) if (typeof item === 'object') known.add(item);
  }
  return texts.filter((text) => typeof text === 'string');
}

function mappingTexts(value: object): string[] {
  const mapping = valueBelow(valueBelow(value, 'discriminator'), 'mapping');
  const texts = isPart(mapping) ? Object.values(mapping).filter((text) => typeof text === 'string') : [];
  return texts.map((text) => (isReferenceText(text) ? text : referenceToSchema(text)));
}

const referenceToSchema = (name: string): string =>
  `#${pointerBelow('/components/schemas', name).replaceAll('%', '%25')}`;
