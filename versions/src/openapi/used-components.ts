import { keysOfPointer, valueBelow } from './json-pointer.ts';
import { readReference } from './openapi-reference.ts';
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
    const left = Object.entries(parts).filter(([name]) => used.has(keyOf(section, name)));
    return [section, Object.fromEntries(left)] as const;
  });
  return { ...root, components: Object.fromEntries(sections) };
}

/** Security schemes are used by name. */
function isPruned(section: string): boolean {
  return section !== 'securitySchemes' && !section.startsWith('x-');
}

/** The name of a component among all of them. */
const keyOf = (section: string, name: string): string => JSON.stringify([section, name]);

function usedComponents(
  entry: string,
  files: ReadonlyMap<string, unknown>,
  kept: readonly string[],
): ReadonlySet<string> {
  const used = new Set<string>();
  const waiting: { value: unknown; file: string }[] = [];
  const components = valueBelow(files.get(entry), 'components');

  function use(section: string, name: string): void {
    const key = keyOf(section, name);
    if (used.has(key)) return;
    used.add(key);
    waiting.push({ value: valueBelow(valueBelow(components, section), name), file: entry });
  }

  function useTarget(text: string, file: string): void {
    const target = readReference(text, file);
    if (typeof target === 'string' || target.file !== entry) return;
    const [first, section, name] = keysOfPointer(target.pointer);
    if (first === 'components' && section !== undefined && name !== undefined) use(section, name);
  }

  for (const name of kept) use('schemas', name);
  for (const [file, value] of files) {
    const { components: _later, ...others } = file === entry && isPart(value) ? value : { file: value };
    waiting.push({ value: others, file });
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const text of referenceTexts(next.value)) useTarget(text, next.file);
  return used;
}
