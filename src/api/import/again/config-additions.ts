import type { FolderConfig } from '../../folder/config-file.ts';
import { type ImportedConfig, quoted, securityEntries } from '../folder-config-text.ts';
import { code } from '../import-report.ts';

/** What a configuration that was edited by hand lacks for a new document, ready to be copied. */
export function configAdditions(current: FolderConfig, imported: ImportedConfig): string[] {
  const { scopes, security, open, mount } = imported;
  const newScopes = [...scopes].filter(([name]) => !Object.hasOwn(current.scopes, name));
  const newSchemes = new Map([...security].filter(([name]) => !Object.hasOwn(current.security ?? {}, name)));
  return [
    ...newScopes.map(
      ([name, words]) =>
        `scopes: ${code(`${quoted(name)}: { consent: ${quoted(words)}, organization: true }`)}`,
    ),
    ...securityEntries(newSchemes).map((entry) => `security: ${code(entry)}`),
    ...newlyOpen(current.open ?? [], open).map((id) => `open: ${code(quoted(id))}`),
    ...(mount !== '' && current.mount === undefined ? [code(`mount: ${quoted(mount)}`)] : []),
  ];
}

function newlyOpen(current: '*' | readonly string[], imported: ImportedConfig['open']): readonly string[] {
  if (current === '*' || imported === '*') return current === imported || current === '*' ? [] : ['*'];
  return imported.filter((id) => !current.includes(id));
}
