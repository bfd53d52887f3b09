import { catalogue } from './catalogue.ts';

/** The table of docs/errors.md; `npm run docs` writes it and a test compares it. */
export function errorsMarkdown(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, text }]) => `| \`${code}\` | ${status} | ${text} |`,
  );
  return ['| code | status | text |', '|---|---|---|', ...rows].join('\n');
}
