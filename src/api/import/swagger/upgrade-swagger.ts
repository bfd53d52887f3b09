import { isPart, type Part } from '../../document/parts.ts';
import { belowPlace, createDocumentTree, type DocumentTree, inEntry } from '../document-tree.ts';
import { ENTRY, type ImportNotes } from '../import-notes.ts';
import { followed } from '../places.ts';
import { parameterOf } from './swagger-parameters.ts';
import { isReferable, pathItemOf, serversOf } from './swagger-paths.ts';
import { createReader, type SwaggerReader } from './swagger-reader.ts';
import { responseOf } from './swagger-responses.ts';
import { schemaOf } from './swagger-schemas.ts';
import { securitySchemeOf } from './swagger-security.ts';

/**
 * A document of Swagger 2.0 in the words of OpenAPI 3.0, in one file, in the order and with the names that it had. What 3.0 cannot say is
 * noted; what 2.0 does not know either stays, to be refused by its name.
 */
export function upgradeSwagger(old: DocumentTree, notes: ImportNotes): DocumentTree {
  const reader = createReader(old, notes);
  const root = old.valueAt(inEntry());
  const document = isPart(root) ? root : {};
  noteMoves(reader, document);
  const members = Object.entries(document).flatMap(([name, value]) =>
    memberOf3(reader, document, { name, value }),
  );
  const components = componentsOf(reader, document);
  const made = {
    ...Object.fromEntries(members),
    ...(Object.keys(components).length > 0 ? { components } : {}),
  };
  reader.sources.set(made, inEntry());
  return createDocumentTree(new Map([[ENTRY, made]]), reader.sources);
}

/** In 3.0 these are somewhere else. */
const MOVES: Readonly<Record<string, string>> = {
  definitions: '/components/schemas',
  parameters: '/components/parameters, or the bodies of the operations that use them',
  responses: '/components/responses',
  securityDefinitions: '/components/securitySchemes',
  host: '/servers',
  basePath: '/servers',
  schemes: '/servers',
  consumes: 'the content of bodies',
  produces: 'the content of answers',
};

function noteMoves({ notes }: SwaggerReader, document: Part): void {
  notes.add('changed', inEntry('swagger'), 'it is openapi: 3.1.0');
  for (const [name, where] of Object.entries(MOVES))
    if (Object.hasOwn(document, name)) notes.add('changed', inEntry(name), `in OpenAPI 3 it is ${where}`);
}

interface Member {
  name: string;
  value: unknown;
}

/** A member of the document, in its place. */
function memberOf3(reader: SwaggerReader, document: Part, { name, value }: Member): [string, unknown][] {
  if (name === 'swagger') return [['openapi', '3.0.4']];
  if (name === 'info') {
    const servers = reader.made(
      serversOf(document),
      inEntry(Object.hasOwn(document, 'host') ? 'host' : 'basePath'),
    );
    return servers.length > 0
      ? [
          [name, value],
          ['servers', servers],
        ]
      : [[name, value]];
  }
  if (name === 'paths' && isPart(value)) return [[name, pathsOf(reader, value)]];
  return Object.hasOwn(MOVES, name) ? [] : [[name, value]];
}

function pathsOf(reader: SwaggerReader, paths: Part): Part {
  return mapped(paths, (path) =>
    path.startsWith('x-') ? paths[path] : pathItemOf(reader, inEntry('paths', path)),
  );
}

function componentsOf(reader: SwaggerReader, document: Part): Part {
  const { definitions, parameters, responses, securityDefinitions } = document;
  const at = (section: string) => (name: string) => inEntry(section, name);
  const sections: [string, Part][] = [
    ['schemas', mapped(definitions, (name) => schemaOf(reader, at('definitions')(name)))],
    ['parameters', parametersOf(reader, parameters)],
    ['responses', mapped(responses, (name) => responseOf(reader, at('responses')(name), reader.produces))],
    [
      'securitySchemes',
      mapped(securityDefinitions, (name) => securitySchemeOf(reader, at('securityDefinitions')(name))),
    ],
  ];
  return Object.fromEntries(
    withBrought(reader, sections).filter(([, parts]) => Object.keys(parts).length > 0),
  );
}

/** Schemas of other files become components. They may refer to more of them. */
function withBrought(reader: SwaggerReader, sections: readonly [string, Part][]): [string, Part][] {
  const brought: [string, unknown][] = [];
  for (const [name, place] of reader.brought) {
    const target = followed(reader.tree, place);
    brought.push([name, schemaOf(reader, target)]);
    reader.notes.add(
      'changed',
      target,
      `it is the component ${name}: a document of Swagger 2.0 becomes one file`,
    );
  }
  const added = Object.fromEntries(brought);
  return sections.map(([section, parts]) => [
    section,
    section === 'schemas' ? { ...parts, ...added } : parts,
  ]);
}

function parametersOf(reader: SwaggerReader, parameters: unknown): Part {
  if (!isPart(parameters)) return {};
  const made = Object.entries(parameters).flatMap(([name, part]) => {
    const place = followed(reader.tree, belowPlace(inEntry('parameters'), name));
    return isPart(part) && isReferable(part) ? [[name, parameterOf(reader, { part, place })]] : [];
  });
  return Object.fromEntries(made);
}

function mapped(parts: unknown, make: (name: string) => unknown): Part {
  if (!isPart(parts)) return {};
  return Object.fromEntries(Object.keys(parts).map((name) => [name, make(name)]));
}
