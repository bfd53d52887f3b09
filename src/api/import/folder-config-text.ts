import type { UpstreamAddresses } from './upstream-addresses.ts';

/** The configuration that an import makes. */
export interface ImportedConfig {
  title: string;
  /** The beginning of the names of settings: `PETSTORE` for `PETSTORE_UPSTREAM`. */
  setting: string;
  mount: string;
  upstream: UpstreamAddresses;
  scopes: ReadonlyMap<string, string>;
  security: ReadonlyMap<string, readonly string[]>;
  open: '*' | readonly string[];
}

/** `dateline.config.mjs`, as `dateline init` writes it, with what the document says. */
export function folderConfigText(config: ImportedConfig): string {
  const { title, setting, mount, upstream, scopes, security, open } = config;
  const lines = [
    `// ${oneLine(title)}, as Dateline serves it. See IMPORT.md for what is to be decided here.`,
    'export default {',
    `  title: ${quoted(title)},`,
    ...(mount === ''
      ? []
      : [
          "  // Some paths are Dateline's own: callers find all of them below this prefix, your server without it.",
          `  mount: ${quoted(mount)},`,
        ]),
    '  upstream: {',
    "    // Your server. It answers the newest version only; a call of the sandbox never reaches production's.",
    `    production: process.env.${setting}_UPSTREAM ?? ${quoted(upstream.production)},`,
    `    sandbox: process.env.${setting}_SANDBOX_UPSTREAM ?? ${quoted(upstream.sandbox)},`,
    '    // Who the tokens are for that your server gets. It refuses those for anybody else.',
    `    audience: ${quoted(upstream.audience)},`,
    '  },',
    '  // What a token may be allowed to do, with the words that people read before they allow it.',
    ...block(
      'scopes',
      [...scopes].map(
        ([name, words]) => `${quoted(name)}: { consent: ${quoted(words)}, organization: true }`,
      ),
    ),
    ...(security.size === 0
      ? []
      : [
          '  // The scopes that stand for what callers bring no longer: keys, passwords, certificates.',
          ...block('security', securityEntries(security)),
        ]),
    '  // Operations and webhooks that need no token, by their ids.',
    ...openLines(open),
    '};',
  ];
  return `${lines.join('\n')}\n`;
}

/** The entry of each scheme, as it stands in the configuration. */
export function securityEntries(security: ImportedConfig['security']): string[] {
  return [...security].map(
    ([name, scopes]) => `${quoted(name)}: { scopes: [${scopes.map(quoted).join(', ')}] }`,
  );
}

function openLines(open: ImportedConfig['open']): string[] {
  if (open === '*') return ["  open: '*',"];
  if (open.length === 0) return ['  open: [],'];
  return ['  open: [', ...open.map((id) => `    ${quoted(id)},`), '  ],'];
}

function block(name: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [`  ${name}: {},`];
  return [`  ${name}: {`, ...entries.map((entry) => `    ${entry},`), '  },'];
}

/** A text as JavaScript has it, whatever is in it. */
export function quoted(text: string): string {
  if (/^[\x20-\x7e\u00a1-\u024f]*$/.test(text)) return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
