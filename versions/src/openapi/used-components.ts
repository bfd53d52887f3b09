import { pointerBelow, valueAt } from './json-pointer.ts';
import { componentAt, readReference } from './openapi-reference.ts';
import { isPart } from './plain-data.ts';
import { referenceTexts } from './referenced-files.ts';

/**
 * The entry of some files without the components that nothing uses: no path, no webhook and no other file refers to them, however
 * indirectly. `kept` are names of schemas that are used by what is no part of the files.
 */
export function withUsedComponents(
  entry: string,
  files: ReadonlyMap<string, unknown>,
  kept: readonly string[] = [],
): unknown {
  const root = files.get(entry);
  if (!isPart(root) || !isPart(root.components)) return root;
  const used = usedComponents(entry, files, kept);
  const sections = Object.entries(root.components).map(([section, parts]) => {
    if (!isPart(parts) || !isPruned(section)) return [section, parts] as const;
    const left = Object.entries(parts).filter(([name]) =>
      used.has(pointerBelow('/components', section, name)),
    );
    return [section, Object.fromEntries(left)] as const;
  });
  return { ...root, components: Object.fromEntries(sections) };
}

/** Security schemes are used by name. */
function isPruned(section: string): boolean {
  return section !== 'securitySchemes' && !section.startsWith('x-');
}

/** The pointers to them. */
function usedComponents(
  entry: string,
  files: ReadonlyMap<string, unknown>,
  kept: readonly string[],
): ReadonlySet<string> {
  const root = files.get(entry);
  const used = new Set<string>();
  const waiting: { value: unknown; file: string }[] = [];

  function use(component: string): void {
    if (used.has(component)) return;
    used.add(component);
    waiting.push({ value: valueAt(root, component), file: entry });
  }

  function useTarget(text: string, file: string): void {
    const target = readReference(text, file);
    const component =
      typeof target === 'string' || target.file !== entry ? null : componentAt(target.pointer);
    if (component !== null) use(component);
  }

  for (const name of kept) use(pointerBelow('/components/schemas', name));
  for (const [file, value] of files) {
    const { components: _later, ...others } = file === entry && isPart(value) ? value : { file: value };
    waiting.push({ value: others, file });
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const text of referenceTexts(next.value)) useTarget(text, next.file);
  return used;
}
