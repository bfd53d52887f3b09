import { createComponentNames } from './component-names.ts';
import { pointerBelow, valueAt, valueBelow } from './json-pointer.ts';
import { mapHeld, type OpenApiKind, openApiGrammar } from './openapi-grammar.ts';
import type { OpenApiProblem } from './openapi-problem.ts';
import { isReferenceText, type OpenApiReference } from './openapi-reference.ts';
import { isPart, type OpenApiDocument, type Part, plainDataProblem } from './plain-data.ts';
import { createReferenceFollower, isAlias } from './reference-follower.ts';

export interface OpenApiBundle {
  /** Null where there are problems. */
  document: OpenApiDocument | null;
  problems: OpenApiProblem[];
  /** A problem of the document, with the place in the files where it stands. */
  locate(problem: OpenApiProblem): OpenApiProblem;
}

/**
 * One self-contained document out of files that refer to each other. `files` are parsed, by their paths relative to
 * the folder of the entry. What other files hold becomes a component, path items aside: they come to stand where
 * they are referred to. References of the entry to itself stay as they are.
 */
export function bundleOpenApi(entry: string, files: ReadonlyMap<string, unknown>): OpenApiBundle {
  const { document, problems, origins } = readableFiles(entry, files);
  return {
    document: problems.length > 0 ? null : document,
    problems,
    locate: (problem) => located(problem, entry, origins),
  };
}

function readableFiles(entry: string, files: ReadonlyMap<string, unknown>): Bundled {
  const problems = [...files].flatMap(([file, value]) => {
    const problem = plainDataProblem(value);
    return problem ? [{ ...problem, file }] : [];
  });
  const root = files.get(entry);
  if (problems.length === 0 && isPart(root)) return bundleFiles(entry, root, files);
  const reason = files.has(entry) ? 'it is no object' : 'there is no such file';
  return {
    document: {},
    problems: problems.length > 0 ? problems : [{ file: entry, path: '', reason }],
    origins: new Map(),
  };
}

/** The places that parts of the document were made from, where they are others. */
type Origins = ReadonlyMap<string, OpenApiReference>;

/** Where something stands: in its file, and in the document that is made. */
interface Position extends OpenApiReference {
  into: string;
}

interface Bundled {
  document: OpenApiDocument;
  problems: OpenApiProblem[];
  origins: Origins;
}

function bundleFiles(entry: string, root: Part, files: ReadonlyMap<string, unknown>): Bundled {
  const problems: OpenApiProblem[] = [];
  const origins = new Map<string, OpenApiReference>();
  const names = createComponentNames(root.components);
  const follow = createReferenceFollower(entry, files);
  const added = new Map<string, Part>();
  const waiting: (() => void)[] = [];
  const pathItemsAbove: string[] = [];

  nameAliases();
  const document = rewritten('document', root, { file: entry, pointer: '', into: '' });
  for (const bring of waiting) bring();
  return { document: withComponents(isPart(document) ? document : {}, added), problems, origins };

  /** A component that is nothing but a reference to another file is the home of what it refers to. */
  function nameAliases(): void {
    if (!isPart(root.components)) return;
    mapHeld('components', root.components, ({ keys: [section = '', name = ''], value }) => {
      const target = isAlias(value) ? follow(value.$ref, entry) : '';
      if (typeof target !== 'string' && target.file !== entry) names.claim(section, target, name);
    });
  }

  function rewritten(kind: OpenApiKind, value: unknown, position: Position): unknown {
    if (!isPart(value)) return value;
    if (typeof value.$ref === 'string') return referring(kind, value, value.$ref, position);
    return rewrittenInside(kind, value, position);
  }

  function rewrittenInside(kind: OpenApiKind, value: Part, position: Position): Part {
    return withMapping(withoutReferences(kind, value, position), kind, position);
  }

  function withoutReferences(kind: OpenApiKind, value: Part, position: Position): Part {
    return mapHeld(kind, value, (held) => {
      const there = below(position, ...held.keys);
      if (held.keys.at(-1) === '$ref' && typeof held.value === 'string')
        refuse(there, 'a reference cannot stand here; refer from each entry');
      return rewritten(held.kind, held.value, there);
    });
  }

  function referring(kind: OpenApiKind, value: Part, text: string, position: Position): unknown {
    const { $ref: _text, ...rest } = value;
    const target = targetOf(kind, text, below(position, '$ref'));
    if (target === null) return value;
    const beside = rewrittenInside(kind, rest, position);
    if (kind === 'pathItem') return pathItemAt(target, beside, position);
    const home = homeOf(kind, target, { text, from: position.file });
    // An alias that became the home of what it refers to holds it.
    if (home === fragmentOf(position.into) && target.file !== entry)
      return brought(kind, target, position.into);
    return { ...beside, $ref: home };
  }

  function targetOf(kind: OpenApiKind, text: string, position: Position): OpenApiReference | null {
    const isAllowed = openApiGrammar[kind].section !== undefined;
    const target = isAllowed ? follow(text, position.file) : 'none can stand here';
    if (typeof target !== 'string') return target;
    refuse(position, `the reference "${text}" is refused: ${target}`);
    return null;
  }

  /** The reference that leads to the same thing in the document. */
  function homeOf(
    kind: OpenApiKind,
    target: OpenApiReference,
    { text, from }: { text: string; from: string },
  ): string {
    const { section } = openApiGrammar[kind];
    if (target.file === entry || section === undefined)
      return from === entry && text.startsWith('#') ? text : fragmentOf(target.pointer);
    const { name, isNew } = names.nameOf(section, target);
    const into = pointerBelow('/components', section, name);
    if (isNew)
      waiting.push(() => added.set(section, { ...added.get(section), [name]: brought(kind, target, into) }));
    return fragmentOf(into);
  }

  function brought(kind: OpenApiKind, target: OpenApiReference, into: string): unknown {
    origins.set(into, target);
    const value = valueAt(files.get(target.file), target.pointer);
    const isSchema = kind === 'schema' && isPart(value) && target.file !== entry;
    return rewritten(kind, isSchema ? withoutDefinitions(value) : value, { ...target, into });
  }

  function pathItemAt(target: OpenApiReference, beside: Part, position: Position): unknown {
    const key = `${target.file}#${target.pointer}`;
    if (pathItemsAbove.includes(key)) {
      refuse(position, 'this path item leads back to itself');
      return {};
    }
    pathItemsAbove.push(key);
    const item = brought('pathItem', target, position.into);
    pathItemsAbove.pop();
    return isPart(item) ? joined(item, beside, position) : item;
  }

  /** A path item, and what stands beside the reference to it. */
  function joined(item: Part, beside: Part, position: Position): Part {
    for (const key of Object.keys(beside)) {
      const there = below(position, key);
      origins.set(there.into, there);
      if (Object.hasOwn(item, key)) refuse(there, `${key} stands here, and in what is referred to as well`);
    }
    return { ...item, ...beside };
  }

  /** The values of a discriminator's mapping are names of schemas, or references. */
  function withMapping(value: Part, kind: OpenApiKind, position: Position): Part {
    const { discriminator } = value;
    const mapping = valueBelow(discriminator, 'mapping');
    if (kind !== 'schema' || !isPart(discriminator) || !isPart(mapping)) return value;
    const replaced = Object.entries(mapping).map(([name, text]) => {
      if (typeof text !== 'string' || !isReferenceText(text)) return [name, text] as const;
      const target = targetOf('schema', text, below(position, 'discriminator', 'mapping', name));
      return [
        name,
        target === null ? text : homeOf('schema', target, { text, from: position.file }),
      ] as const;
    });
    return { ...value, discriminator: { ...discriminator, mapping: Object.fromEntries(replaced) } };
  }

  function refuse({ file, pointer }: OpenApiReference, reason: string): void {
    problems.push({ file, path: pointer, reason });
  }
}

function below({ file, pointer, into }: Position, ...keys: readonly string[]): Position {
  return { file, pointer: pointerBelow(pointer, ...keys), into: pointerBelow(into, ...keys) };
}

/** Definitions of another file that something refers to are components by themselves. */
function withoutDefinitions({ $defs, definitions, ...schema }: Part): Part {
  return schema;
}

function fragmentOf(pointer: string): string {
  // What a URI must not contain, or would read as something else.
  return `#${pointer.replace(/[%\s"<>^`{|}\\]/g, encodeURIComponent)}`;
}

function withComponents(document: Part, added: ReadonlyMap<string, Part>): OpenApiDocument {
  if (added.size === 0) return document;
  const components = isPart(document.components) ? document.components : {};
  const sections = [...added].map(([section, parts]) => {
    const own = components[section];
    return [section, { ...(isPart(own) ? own : {}), ...parts }] as const;
  });
  return { ...document, components: { ...components, ...Object.fromEntries(sections) } };
}

function located(problem: OpenApiProblem, entry: string, origins: Origins): OpenApiProblem {
  const { path, reason } = problem;
  const above = [...origins.keys()].filter((into) => path === into || path.startsWith(`${into}/`));
  const [nearest = ''] = above.sort((one, other) => other.length - one.length);
  const { file, pointer } = origins.get(nearest) ?? { file: entry, pointer: '' };
  return { file, path: `${pointer}${path.slice(nearest.length)}`, reason };
}
